/** A property that came with a later release: a flow that does not have it stays as it is until somebody sets it. */
import { textFrom } from './open-form';

/**
 * To be called by `oneditsave`: without its field the editor does not look at the property at all.
 * @param usual what the field says where nobody touched it
 */
export function leaveAbsent(node: object, property: string, selector: string, usual: string): void {
  if (Reflect.get(node, property) === undefined && textFrom($(selector).val()).trim() === usual) $(selector).remove();
}
