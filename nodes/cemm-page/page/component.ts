/** The script of the ui-template: connects a Viewer to Dashboard's component and to the browser. */
import type { Drawn } from './draw/drawn';
import { type Screen, Viewer } from './viewer';

/** The component that Dashboard makes of a ui-template, with `drawn`, which the template shows. */
interface Component {
  readonly id: string;
  readonly msg?: { readonly payload?: unknown };
  drawn: Drawn | null;
  send(message: { payload: unknown }): void;
}

const drawMs = 5_000;

/** Vue leaves objects with this mark as they are. */
const unwatched = { __v_skip: true } as const;

export function start(component: Component): { viewer: Viewer; stop: () => void } {
  const viewer = new Viewer(randomName(), screenOf(component));
  const update = (): void => {
    viewer.update();
  };
  const timer = setInterval(update, drawMs);
  document.addEventListener('visibilitychange', update);
  const leave = (): void => {
    viewer.leave();
  };
  window.addEventListener('pagehide', leave);
  viewer.receive(component.msg?.payload);
  return {
    ...unwatched,
    viewer,
    stop() {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', update);
      window.removeEventListener('pagehide', leave);
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
    show: (drawn) => {
      component.drawn = drawn === null ? null : { ...drawn, ...unwatched };
    },
  };
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
