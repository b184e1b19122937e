// A bot for Node, without packages: `exec:node examples/bot.js`, or with an option,
// `exec:node examples/bot.js,style=low`. It plays its highest or its lowest legal choice.
const { createInterface } = require('node:readline');

const OPTIONS = { style: { default: 'high', values: ['high', 'low'] } };
let style = OPTIONS.style.default;

const answers = {
  hello(asked) {
    style = asked.options?.style ?? style;
    if (!OPTIONS.style.values.includes(style)) return { error: `style is high or low, not ${style}` };
    return { name: `plays ${style}`, protocol: 1, options: OPTIONS };
  },
  choice(asked) {
    if (!Array.isArray(asked.legal)) return { error: 'there are no legal choices' };
    if (asked.infos) say({ id: asked.id, info: { text: `${asked.legal.length} choices` } });
    return asked.legal.at(style === 'high' ? -1 : 0);
  },
};

function say(values) {
  process.stdout.write(`${JSON.stringify(values)}\n`);
}

function read(line) {
  try {
    const asked = JSON.parse(line);
    return typeof asked === 'object' && !Array.isArray(asked) ? asked : {};
  } catch {
    return { ask: 'nonsense' };
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  if (!line.trim()) return;
  const asked = read(line) ?? {};
  const ask = asked.ask ?? 'choice';
  if (ask === 'quit') process.exit(0);
  if (ask === 'stop') return; // every answer has been given already
  const answer = Object.hasOwn(answers, ask) ? answers[ask](asked) : { error: `ask ${ask}?` };
  say({ id: asked.id ?? null, ...answer });
});
