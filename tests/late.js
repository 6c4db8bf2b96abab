// What a browser does in a task of its own comes half a second late: events, timers, frames, observers, answers.

const LATE = 500;
const EVENTS = new Set(["DOMContentLoaded", "hashchange", "load", "message", "popstate", "resize", "scroll", "toggle"]);
const OBSERVERS = ["IntersectionObserver", "MutationObserver", "PerformanceObserver", "ResizeObserver"];

{
  const soon = window.setTimeout.bind(window);
  const pause = () => new Promise((resolve) => { soon(resolve, LATE); });

  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function addEventListener(kind, listener, ...rest) {
    const late = (event) => soon(() => listener.call(this, event), LATE);
    return listen.call(this, kind, EVENTS.has(kind) ? late : listener, ...rest);
  };

  window.setTimeout = (act, time = 0, ...rest) => soon(act, time + LATE, ...rest);
  for (const name of ["requestAnimationFrame", "requestIdleCallback"]) {
    const real = window[name].bind(window);
    window[name] = (act) => real(() => soon(() => act(performance.now()), LATE));
  }
  for (const name of OBSERVERS) {
    const Real = window[name];
    window[name] = class extends Real {
      constructor(act, ...rest) { super((...found) => soon(() => act(...found), LATE), ...rest); }
    };
  }

  const { fetch } = window;
  window.fetch = async (...asked) => {
    await pause();
    const answer = await fetch(...asked);
    await pause();
    return answer;
  };
  for (const name of navigator.clipboard ? ["readText", "writeText"] : []) {
    const real = navigator.clipboard[name].bind(navigator.clipboard);
    navigator.clipboard[name] = async (...given) => {
      await pause();
      return real(...given);
    };
  }
}
