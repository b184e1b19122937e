/** Sounds made on the spot; nothing is heard before the person has touched the page. */

export type SoundName = 'card' | 'sweep' | 'turn' | 'win' | 'lose';

let context: AudioContext | null = null;

/** Makes ready at the first gesture. Gives back how to stop waiting for it. */
export function awaitGesture(): () => void {
  const wake = () => {
    context ??= typeof AudioContext === 'undefined' ? null : new AudioContext();
    void context?.resume();
  };
  window.addEventListener('pointerdown', wake);
  window.addEventListener('keydown', wake);
  return () => {
    window.removeEventListener('pointerdown', wake);
    window.removeEventListener('keydown', wake);
  };
}

export function play(name: SoundName): void {
  if (context?.state === 'running') SOUNDS[name](context);
}

const SOUNDS: Readonly<Record<SoundName, (audio: AudioContext) => void>> = {
  card: (audio) => rustle(audio, { lasts: 0.07, from: 2600, to: 900, loud: 0.32 }),
  sweep: (audio) => rustle(audio, { lasts: 0.28, from: 700, to: 2400, loud: 0.14 }),
  turn: (audio) => tones(audio, [659], 0.09, 0.06),
  win: (audio) => tones(audio, [523, 659, 784, 1047], 0.13, 0.08),
  lose: (audio) => tones(audio, [392, 330], 0.18, 0.06),
};

interface Rustle {
  readonly lasts: number;
  readonly from: number;
  readonly to: number;
  readonly loud: number;
}

/** Filtered noise that fades: a card on felt, cards drawn together. */
function rustle(audio: AudioContext, { lasts, from, to, loud }: Rustle): void {
  const start = audio.currentTime;
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * lasts), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index++) samples[index] = Math.random() * 2 - 1;
  const noise = new AudioBufferSourceNode(audio, { buffer });
  const filter = new BiquadFilterNode(audio, { type: 'bandpass', frequency: from, Q: 0.8 });
  filter.frequency.exponentialRampToValueAtTime(to, start + lasts);
  const volume = new GainNode(audio, { gain: loud });
  volume.gain.setValueAtTime(loud, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + lasts);
  noise.connect(filter).connect(volume).connect(audio.destination);
  noise.start(start);
}

/** Soft tones, one after the other. */
function tones(audio: AudioContext, pitches: readonly number[], apart: number, loud: number): void {
  pitches.forEach((frequency, index) => {
    const start = audio.currentTime + index * apart;
    const tone = new OscillatorNode(audio, { type: 'triangle', frequency });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(0.0001, start);
    volume.gain.exponentialRampToValueAtTime(loud, start + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + apart * 2.5);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + apart * 2.6);
  });
}
