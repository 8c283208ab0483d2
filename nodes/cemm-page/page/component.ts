/** The script of the ui-template: connects a Viewer to Dashboard's component and to the browser. */
import type { Drawn } from './draw/drawn';
import { type Screen, Viewer } from './viewer';

/** The component that Dashboard makes of a ui-template, with `drawn`, which the template shows. */
interface Component {
  readonly id: string;
  readonly $el: Element;
  readonly msg?: { readonly payload?: unknown };
  drawn: Drawn | null;
  send(message: { payload: unknown }): void;
}

const drawMs = 5_000;

/** Vue leaves objects with this mark as they are. */
const unwatched = { __v_skip: true } as const;

export function startComponent(component: Component): {
  viewer: Viewer;
  swipe: (event: TouchEvent) => void;
  see: (place: unknown) => void;
  stop: () => void;
} {
  const viewer = new Viewer(randomName(), screenOf(component));
  const update = (): void => {
    viewer.update();
  };
  const abort = new AbortController();
  const { signal } = abort;
  const timer = setInterval(update, drawMs);
  document.addEventListener('visibilitychange', update, { signal });
  const leave = (): void => {
    viewer.leave();
  };
  window.addEventListener('pagehide', leave, { signal });
  window.addEventListener(
    'popstate',
    () => {
      viewer.returned();
    },
    { signal },
  );
  const parts = component.$el;
  document.addEventListener(
    'click',
    ({ target }) => {
      closeOthers(parts, target);
    },
    { signal },
  );
  keepBarOnTop(parts.querySelector('nav'), signal);
  viewer.receive(component.msg?.payload);
  return {
    ...unwatched,
    viewer,
    swipe: createSwipe((count) => {
      viewer.step(count);
    }),
    see: createSight(signal, () => {
      viewer.choose({ seesCarpet: true });
    }),
    stop() {
      clearInterval(timer);
      abort.abort();
      viewer.leave();
    },
  };
}

function screenOf(component: Component): Screen {
  const place = `cemm-page ${component.id}`;
  return {
    now: () => Date.now(),
    languages: navigator.languages,
    isHidden: () => document.hidden,
    kept: () => inStorage((storage) => storage.getItem(place)),
    keep: (text) => {
      inStorage((storage) => {
        storage.setItem(place, text);
      });
    },
    send: (message) => {
      component.send({ payload: message });
    },
    save: saveFile,
    address: () => location.search,
    visit: (address, isStep) => {
      visit(address, isStep);
    },
    show: (drawn) => {
      component.drawn = drawn === null ? null : { ...drawn, ...unwatched };
    },
  };
}

function saveFile(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Calls once when a place comes into view. */
function createSight(signal: AbortSignal, seen: () => void): (place: unknown) => void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    seen();
  });
  signal.addEventListener('abort', () => {
    observer.disconnect();
  });
  return (place) => {
    if (place instanceof Element) observer.observe(place);
  };
}

/** Leads to the period before or after. Not in a table, which scrolls sideways. */
function createSwipe(step: (count: number) => void): (event: TouchEvent) => void {
  let from: Touch | null = null;
  return ({ type, target, changedTouches: [touch] }) => {
    if (touch === undefined) return;
    if (type === 'touchstart') from = target instanceof Element && target.closest('.scroll') === null ? touch : null;
    else if (from !== null) {
      const [x, y] = [touch.clientX - from.clientX, touch.clientY - from.clientY];
      if (Math.abs(x) > 60 && Math.abs(y) < 40) step(x > 0 ? -1 : 1);
    }
  };
}

/** A frame without an origin of its own refuses another address. */
function visit(address: string, isStep: boolean): void {
  // The state is that of the router of Dashboard, which goes on with it.
  const state: unknown = history.state;
  try {
    if (isStep) history.pushState(state, '', address);
    else history.replaceState(state, '', address);
  } catch {
    // The page works without it.
  }
}

/** A menu or picker closes when something else is touched, and when a choice was made in it. */
function closeOthers(parts: Element, target: EventTarget | null): void {
  if (!(target instanceof Element)) return;
  const isChoice = target.closest('[data-closes]') !== null;
  for (const open of parts.querySelectorAll('details.pop[open]')) {
    if (isChoice || !open.contains(target)) open.removeAttribute('open');
  }
}

/**
 * On a phone the views are a bar at the bottom. A group of Dashboard has a z-index, so the next group would cover a bar that is only fixed: a
 * popover is above all of them.
 */
function keepBarOnTop(bar: HTMLElement | null, signal: AbortSignal): void {
  if (bar === null || !('showPopover' in bar)) return;
  const narrow = window.matchMedia('(max-width: 599px)');
  const place = (): void => {
    if (narrow.matches) {
      bar.setAttribute('popover', 'manual');
      bar.showPopover();
    } else bar.removeAttribute('popover');
  };
  place();
  narrow.addEventListener('change', place, { signal });
}

/** A browser may refuse access to its storage. */
function inStorage<Result>(use: (storage: Storage) => Result): Result | null {
  try {
    return use(sessionStorage);
  } catch {
    return null;
  }
}

/** `randomUUID` exists only on pages over HTTPS. */
function randomName(): string {
  return [...crypto.getRandomValues(new Uint32Array(3))].map((part) => part.toString(36)).join('-');
}
