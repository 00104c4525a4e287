import type { QuietHours } from '@talpa/contracts';

const minuteMs = 60_000;
const dayMinutes = 24 * 60;

/** How long somebody's quiet hours still last, in ms; 0: now is none of them. */
export function quietFor(quietHours: QuietHours | null, now = new Date()): number {
  if (!quietHours) return 0;
  const [from, to] = [minutesOf(quietHours.from), minutesOf(quietHours.to)];
  const at = minutesIn(quietHours.timeZone, now);
  const since = (at - from + dayMinutes) % dayMinutes;
  const length = (to - from + dayMinutes) % dayMinutes;
  if (since >= length) return 0;
  return (length - since) * minuteMs - (now.getTime() % minuteMs);
}

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}

/** The time of the day in a time zone, in minutes. */
function minutesIn(timeZone: string, now: Date): number {
  const format = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  });
  return minutesOf(format.format(now));
}
