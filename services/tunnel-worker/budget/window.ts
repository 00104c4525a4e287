/** The provider counts calls in windows of five minutes; we count in slots, one more than a window has. */
export const slotMs = 10_000;
export const slotsCounted = 31;
/** Background calls are spread: as many of these slots share what a window allows. */
export const slotsSpread = 3;

/** How many calls a window may hold. */
export interface Allowance {
  /** All calls together. */
  readonly all: number;
  /** Up to where background calls may fill it. */
  readonly background: number;
}

/** Whether somebody waits for a call. */
export type Lane = 'interactive' | 'background';

/** What was called within the window, and by the background in its latest slots. */
interface Used {
  readonly used: number;
  readonly recentBackground: number;
}

/** How long a call has to wait, in ms; 0 when it may go now. @param untilNextSlot in ms */
export function waitFor(
  lane: Lane,
  { used, recentBackground }: Used,
  allowance: Allowance,
  untilNextSlot: number,
): number {
  const full = used >= (lane === 'interactive' ? allowance.all : allowance.background);
  const spread = Math.ceil((allowance.background * slotsSpread) / (slotsCounted - 1));
  return full || (lane === 'background' && recentBackground >= spread) ? untilNextSlot : 0;
}

/** The counting of budget/shared.ts in one process's memory: what it has called by itself. */
export class Window {
  private slots: { at: number; all: number; background: number }[] = [];
  private readonly now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  /** How long a call has to wait, in ms; 0 when it may go now. */
  waitFor(lane: Lane, allowance: Allowance): number {
    const slot = Math.floor(this.now() / slotMs);
    this.slots = this.slots.filter(({ at }) => at > slot - slotsCounted);
    const used = this.slots.reduce((sum, one) => sum + one.all, 0);
    const recentBackground = this.slots
      .filter(({ at }) => at > slot - slotsSpread)
      .reduce((sum, one) => sum + one.background, 0);
    return waitFor(lane, { used, recentBackground }, allowance, (slot + 1) * slotMs - this.now());
  }

  count(lane: Lane): void {
    const slot = Math.floor(this.now() / slotMs);
    let last = this.slots.at(-1);
    if (last?.at !== slot) {
      last = { at: slot, all: 0, background: 0 };
      this.slots.push(last);
    }
    last.all += 1;
    if (lane === 'background') last.background += 1;
  }
}
