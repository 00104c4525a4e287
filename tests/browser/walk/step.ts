import type { Errand } from './errands.ts';
import { type FormName, forms, type Place, type SettingsTab } from './forms.ts';
import type { Kind, Subject } from './records.ts';

export const widths = [1280, 768, 390] as const;

/** What the user does where something typed would be lost: drops it, or stays. */
interface Leaving {
  readonly stay?: true;
}

/** One thing somebody does. Plain data: a step whose precondition does not hold is left out. */
export type Step =
  | ({ readonly do: 'go'; readonly to: Place } & Leaving)
  | ({ readonly do: 'back' } & Leaving)
  | ({ readonly do: 'forward' } & Leaving)
  | { readonly do: 'reload' }
  /** Looks at the browser's other tab. */
  | { readonly do: 'tab' }
  | { readonly do: 'open'; readonly form: FormName; readonly at: number }
  | { readonly do: 'type'; readonly field: string; readonly text: string }
  | ({ readonly do: 'cancel'; readonly by: 'button' | 'Escape' } & Leaving)
  | { readonly do: 'save' }
  /** Decides about a record that has changed under its form. */
  | { readonly do: 'decide'; readonly take: 'theirs' | 'mine' }
  | { readonly do: 'settingsTab'; readonly tab: SettingsTab }
  /** Accepts the terms and goes on to the payment. */
  | { readonly do: 'next' }
  /** Opens the newest notifications, marks them as read if wanted, and closes them. */
  | { readonly do: 'bell'; readonly mark: boolean }
  /** Does something with the account in dialogs of its own. */
  | ({ readonly do: 'errand' } & Errand)
  | { readonly do: 'language' }
  | { readonly do: 'resize'; readonly width: (typeof widths)[number] }
  /** Somebody else changes one field, or the same user at another place. */
  | { readonly do: 'elsewhere'; readonly record: Subject; readonly field: string; readonly text: string }
  | { readonly do: 'offline' }
  | { readonly do: 'online' };

/** The same step on the last record there is, where its own is missing: a path without the step that made it. */
export function fitted(step: Step, counts: Readonly<Record<Kind, number>>): Step {
  const fit = (at: number, of: Kind) => Math.min(at, counts[of] - 1);
  if (step.do === 'elsewhere') {
    const { of, at } = step.record;
    return { ...step, record: { of, at: fit(at, of) } };
  }
  if (step.do === 'open') {
    const { of } = forms[step.form];
    return of ? { ...step, at: fit(step.at, of) } : step;
  }
  if (step.do !== 'go' || step.to.at === undefined || step.to.name === 'server') return step;
  return { ...step, to: { ...step.to, at: fit(step.to.at, step.to.name === 'user' ? 'user' : 'proxy') } };
}

const letters = 'ABCDEFGH';
const named = (at: number) => letters[at] ?? String(at);
const placed = ({ name, at, tab }: Place) =>
  `${name}${at === undefined ? '' : ` ${named(at)}`}${tab && tab !== 'account' ? ` (${tab})` : ''}`;

/** A step in words. */
export function describe(step: Step): string {
  const stays = 'stay' in step && step.stay ? ', stay' : '';
  switch (step.do) {
    case 'go':
      return `go to ${placed(step.to)}${stays}`;
    case 'back':
    case 'forward':
      return `${step.do}${stays}`;
    case 'tab':
      return 'other tab';
    case 'open':
      return `open ${step.form} ${named(step.at)}`;
    case 'type':
      return `type ${step.field} "${step.text}"`;
    case 'cancel':
      return `cancel by ${step.by}${stays}`;
    case 'decide':
      return `take ${step.take}`;
    case 'settingsTab':
      return `tab ${step.tab}`;
    case 'bell':
      return step.mark ? 'bell, mark as read' : 'bell';
    case 'errand':
      return `${step.what} ${named(step.at)}${step.to === undefined ? '' : ` to ${named(step.to)}`} "${step.name}"${step.twice ? ', opened twice' : ''}`;
    case 'resize':
      return `resize to ${step.width}`;
    case 'elsewhere':
      return `elsewhere: ${step.record.of} ${named(step.record.at)}, ${step.field} "${step.text}"`;
    default:
      return step.do;
  }
}
