/** One message that leaves a format. What is not named here the node takes from the message that came in. */
export interface Formatted {
  readonly topic: string;
  readonly payload: unknown;
  /** Chart only: what Dashboard 2 does with the points that are there already. */
  readonly action?: 'replace' | 'append';
  /** Home Assistant only: for a core `mqtt out` node. */
  readonly retain?: true;
  readonly qos?: 1;
}
