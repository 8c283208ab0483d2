/** A webhook path on a port of its own. */
import type { DeliveryRoute, DeliveryServer } from '../../src/webhook/delivery-server';
import { createPathMatcher } from '../../src/webhook/path-sender';
import type { Hook, Mount } from './hook';

export class OwnMount implements Mount {
  readonly root = '';
  readonly isShadowed = false;
  private readonly route: DeliveryRoute;

  constructor(
    readonly server: DeliveryServer,
    hook: Pick<Hook, 'path' | 'isReady' | 'answer'>,
  ) {
    this.route = {
      matches: createPathMatcher(hook.path),
      get isReady() {
        return hook.isReady;
      },
      handle: (req, res) => {
        hook.answer(req, res, req.url ?? '');
      },
    };
  }

  put(): void {
    this.server.add(this.route);
  }

  remove(): void {
    this.server.remove(this.route);
  }
}
