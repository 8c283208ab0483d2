/** All that the template shows. */
import type { View } from '../messages';

export interface Drawn {
  readonly language: string;
  readonly views: readonly { readonly key: View; readonly isChosen: boolean }[];
  readonly date: string;
  /** Key of the question and what is known of it. */
  readonly rows: readonly { readonly key: string; readonly text: string }[];
  readonly failure: string;
}
