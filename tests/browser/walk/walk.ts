import type { Random } from '@talpa/test-kit/requests/random';
import { faultsOf } from './checks.ts';
import { apply } from './effects.ts';
import { errands } from './errands.ts';
import { forms } from './forms.ts';
import { nextStep } from './generate.ts';
import { perform } from './hands.ts';
import { asksBefore, isSaved } from './model.ts';
import { isPossible } from './possible.ts';
import { fitted, type Step } from './step.ts';
import { openWorld, type Stage, tabNow, type World } from './world.ts';

export interface Walked {
  /** The steps that could be done; the last one found the faults. */
  readonly steps: readonly Step[];
  readonly faults: readonly string[];
}

/** What a browser without network, or one that is refused, logs as an error by itself. */
const lostNetwork = /ERR_(INTERNET_DISCONNECTED|NETWORK_CHANGED|NETWORK_IO_SUSPENDED|CONNECTION)|ApiError/;
const refused = /status of 4(00|09)/;

/** Goes the given steps on new records; leaves out what is not possible. */
export async function replay(stage: Stage, steps: readonly Step[]): Promise<Walked> {
  const left = [...steps];
  return await walk(stage, (world) => {
    while (left.length > 0) {
      const { proxy, user } = world.model.records;
      const [step] = left.splice(0, 1);
      const fit = step && fitted(step, { proxy: proxy.length, user: user.length, preferences: 1 });
      if (fit && isPossible(world.model, fit)) return fit;
    }
    return null;
  });
}

/** Makes up steps until `isDone`, or until something is wrong. */
export function explore(stage: Stage, random: Random, isDone: (steps: number) => boolean): Promise<Walked> {
  let count = 0;
  return walk(stage, (world) => {
    if (isDone(count)) return null;
    count += 1;
    return nextStep(random, world.model);
  });
}

async function walk(stage: Stage, next: (world: World) => Step | null): Promise<Walked> {
  const world = await openWorld(stage);
  const done: Step[] = [];
  try {
    let faults = await settledFaults(world);
    for (let step = next(world); step && faults.length === 0; step = next(world)) {
      done.push(step);
      faults = await take(world, step);
      if (faults.length > 0) break;
    }
    return { steps: done, faults };
  } finally {
    await world.close();
  }
}

/** Does one step and compares everything. */
async function take(world: World, step: Step): Promise<string[]> {
  const { tab, now } = tabNow(world);
  const { form } = now;
  const wasAsking = asksBefore(form);
  const isSaving = step.do === 'save' && form !== null;
  const isAccepted = isSaving && isSaved(world.model, form);
  const wasOffline = !world.model.isOnline;
  try {
    await perform(world, step);
  } catch (error) {
    return [`step: ${String(error).split('\n').slice(0, 3).join(' ')}`, ...noiseOf(world, () => true, [])];
  }
  apply(world.model, step);
  const faults = await settledFaults(world);
  const hasAsked = tab.hasAsked;
  tab.hasAsked = false;
  if (hasAsked && !wasAsking) faults.push('asked: the browser asked although nothing was typed');
  const isExpected = (complaint: string) =>
    ((wasOffline || !world.model.isOnline) && lostNetwork.test(complaint)) ||
    (isSaving && !isAccepted && refused.test(complaint)) ||
    // The page asks once more for what it has deleted.
    (step.do === 'errand' && step.what === 'deleteServer' && /status of 404/.test(complaint));
  const call = isSaving ? forms[form.name].call : null;
  // The guide makes the command that it shows.
  const isGuide = [form, now.form].some((one) => one?.name === 'install');
  const allowed = [call, isGuide && 'POST /api/enrolment-keys', ...callsOf(step)];
  faults.push(
    ...noiseOf(
      world,
      isExpected,
      allowed.filter((one) => typeof one === 'string'),
    ),
  );
  return faults;
}

/** What a step sends that saves no form. */
function callsOf(step: Step): readonly string[] {
  if (step.do === 'errand') return errands[step.what].calls;
  return step.do === 'bell' && step.mark ? ['POST /api/user/notifications/read'] : [];
}

/** What the browser complained about, and calls that nobody asked for. */
function noiseOf(
  world: World,
  isExpected: (complaint: string) => boolean,
  allowed: readonly string[],
): string[] {
  return world.tabs.flatMap(({ calls, complaints }) => {
    const made = calls.splice(0);
    const rest = [...allowed];
    const surplus = made.filter(
      (call) => !rest.includes(call) || rest.splice(rest.indexOf(call), 1).length === 0,
    );
    const said = complaints.splice(0).filter((complaint) => !isExpected(complaint));
    return [
      ...surplus.map((call) => `request: ${call}, which nobody asked for`),
      ...said.map((text) => `console: ${text}`),
    ];
  });
}

/** What is wrong even after a while: the panel is notified of changes a moment later. */
async function settledFaults(world: World): Promise<string[]> {
  const end = Date.now() + world.patienceMs;
  for (;;) {
    const faults = await faultsOf(world).catch((error) => [`step: ${String(error).split('\n')[0]}`]);
    if (faults.length === 0 || Date.now() > end) return faults;
    await tabNow(world).tab.page.waitForTimeout(50);
  }
}
