"use strict";

/** Steps through one deal: one choice in sight at a time. */
function stepThrough(deal) {
  const steps = [...deal.querySelectorAll(".step")];
  const rounds = deal.querySelectorAll("section.round");
  const toolbar = deal.querySelector(".toolbar");
  const everything = toolbar.querySelector("[data-go=all]");
  const chart = deal.querySelector(".chart");
  let now = 0;

  function show(next, focus) {
    now = Math.max(0, Math.min(steps.length - 1, next));
    const all = everything.ariaPressed === "true";
    for (const step of steps) step.classList.toggle("away", !all && step !== steps[now]);
    for (const round of rounds) round.classList.toggle("away", !all && !round.contains(steps[now]));
    toolbar.querySelector(".where").textContent =
      now < steps.length - 1 ? `Choice ${now + 1} of ${steps.length - 1}` : "The end";
    if (chart) moveCursor();
    if (focus || all) steps[now].focus();
  }

  function moveCursor() {
    const { left, right, moments } = chart.dataset;
    const x = Number(left) + ((right - left) * now) / moments;
    const cursor = chart.querySelector(".cursor");
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
  }

  function costly() {
    const places = [...steps.keys()].filter((place) => "costly" in steps[place].dataset);
    return places.find((place) => place > now) ?? places[0] ?? now;
  }

  const ways = {
    first: () => show(0),
    back: () => show(now - 1),
    next: () => show(now + 1),
    last: () => show(steps.length - 1),
    costly: () => show(costly()),
    all() {
      everything.ariaPressed = String(everything.ariaPressed !== "true");
      show(now);
    },
  };

  for (const button of toolbar.querySelectorAll("button"))
    button.addEventListener("click", () => ways[button.dataset.go]());
  chart?.addEventListener("click", (event) => {
    const box = chart.getBoundingClientRect();
    const { left, right, moments } = chart.dataset;
    const x = ((event.clientX - box.left) / box.width) * chart.viewBox.baseVal.width;
    show(Math.round(((x - left) / (right - left)) * moments));
  });
  everything.ariaPressed = "false";
  toolbar.hidden = false;
  deal.classList.add("stepping");
  show(0);
  return { deal, steps, show, ways };
}

const deals = [...document.querySelectorAll(".deal")].map(stepThrough);
let used = deals[0];

function follow() {
  const wanted = location.hash && document.getElementById(location.hash.slice(1));
  for (const one of deals) {
    const place = one.steps.indexOf(wanted);
    if (place >= 0) {
      used = one;
      one.show(place, true);
    }
  }
}

const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };

document.addEventListener("keydown", (event) => {
  const way = KEYS[event.key];
  const inside = document.activeElement;
  if (!way || event.altKey || event.ctrlKey || event.metaKey || inside.matches("input")) return;
  used = deals.find((one) => one.deal.contains(inside)) ?? used;
  event.preventDefault();
  used.ways[way]();
});
window.addEventListener("hashchange", follow);
follow();
