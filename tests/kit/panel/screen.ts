import type { Page, Route } from 'playwright-core';
import type { Look } from './look.ts';
import type { PersonName, ServerName, World } from './people.ts';
import { serverNames } from './people.ts';
import { type Words, wordsIn } from './words.ts';

/** A screen of the panel in one state: where it is, and what one does to see it. */
export interface Screen {
  /** Its file's name; begins with its part of the panel. */
  readonly name: string;
  /** Who looks at it; null: nobody is signed in. */
  readonly as: PersonName | null;
  readonly path: string | ((world: World) => string);
  /** Calls whose answers never come, so that one sees the waiting; or that find no server. */
  readonly held?: RegExp;
  readonly lost?: RegExp;
  /** What `Math.random` gives. */
  readonly random?: number;
  /** Kept in the browser before. */
  readonly stored?: Readonly<Record<string, string>>;
  /** Gives calls the responses that the screen shows, before the page is opened. */
  readonly prepare?: (stage: Stage) => Promise<unknown>;
  /** What one does, once the page is there. */
  readonly act?: (stage: Stage) => Promise<unknown>;
  /** Something on it goes on waiting. */
  readonly isWaiting?: boolean;
  /** What the browser itself logs as an error: an expected 4xx, a server that is gone. */
  readonly expected?: RegExp;
  /** A dialog that a button of the page has opened; closed, it gives the focus back. */
  readonly isDialog?: true;
  /** Seen on phones, or on wide windows, alone. */
  readonly only?: Look['width'];
}

type RowAction =
  | 'edit'
  | 'delete'
  | 'users.suspend'
  | 'users.lift'
  | 'invitations.users'
  | 'invitations.revoke';
type ProxyAction = 'edit' | 'install' | 'check' | MenuAction | 'delete';
const inMenu = ['pause', 'resume', 'suspend', 'lift'] as const;
type MenuAction = (typeof inMenu)[number];

/** A page in a look, and the hands to work on it in the words of its language. */
export class Stage {
  readonly page: Page;
  readonly look: Look;
  readonly world: World;
  readonly words: Words;
  private readonly held: Route[] = [];

  constructor(page: Page, look: Look, world: World) {
    this.page = page;
    this.look = look;
    this.world = world;
    this.words = wordsIn(look.language);
  }

  button(name: string) {
    return this.page.getByRole('button', { name, exact: true });
  }
  /** The open dialog; the upper one of two. */
  get dialog() {
    return this.page.getByRole('dialog').last();
  }
  /** From now on these calls get no response, and do nothing. */
  async hold(calls: RegExp) {
    await this.page.route(calls, (route) => {
      this.held.push(route);
    });
  }
  /** A page that is closed would let them go. */
  async dropHeld() {
    await Promise.allSettled(this.held.map((route) => route.abort()));
  }
  async press(name: string) {
    await this.button(name).click();
  }
  async pressInDialog(name: string) {
    await this.dialog.getByRole('button', { name, exact: true }).last().click();
  }
  async tab(name: string) {
    await this.page.getByRole('tab', { name, exact: true }).click();
  }
  async fill(label: string, text: string) {
    await this.page.getByLabel(label, { exact: true }).last().fill(text);
  }
  /** Presses one of the buttons in a proxy's row or card, or of the menu behind the last one. */
  async onProxy(server: ServerName, action: ProxyAction, { proxy }: Pick<Words, 'proxy'> = this.words) {
    const name = serverNames[server];
    if (inMenu.some((one) => one === action)) {
      await this.press(proxy('action', { action: proxy('action.more'), name }));
      await this.page.getByRole('menuitem', { name: proxy(`action.${action}`) }).click();
    } else await this.press(proxy('action', { action: proxy(`action.${action}`), name }));
    await this.dialog.waitFor();
  }
  /** The same in an administrator's list, which is German. */
  async onAnyProxy(server: ServerName, action: ProxyAction) {
    await this.onProxy(server, action, wordsIn('de'));
  }
  /** Presses one of the buttons in a user's or an invitation's row. */
  async onRow(action: RowAction, name: string) {
    const { admin } = this.words;
    await this.press(admin('action', { action: admin(action), name }));
    await this.dialog.waitFor();
  }
}
