import { type ProxyEntry, proxyEntries } from '@talpa/contracts';
import { plans } from '@talpa/contracts/plans';
import type { Words } from '@talpa/test-kit/panel/words';
import type { Locator, Page } from 'playwright-core';
import type { FormName } from './forms.ts';
import { none } from './records.ts';

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const accents = ['purple', 'blue', 'green', 'red', 'yellow'] as const;

/** A field of an open form: reads what it shows, and types into it as a person does. */
export interface Field {
  read(): Promise<string>;
  write(text: string): Promise<void>;
}

const soon = { timeout: 500 };

function textField(input: Locator): Field {
  return { read: () => input.inputValue(soon), write: (text) => input.fill(text) };
}

function switchField(control: Locator): Field {
  const read = async () => (await control.getAttribute('aria-checked', soon)) ?? none;
  return {
    read,
    write: async (text) => {
      if ((await read()) !== text) await control.click();
    },
  };
}

/** One of a few, each a radio button with its own label. */
function radioField<T extends string>(scope: Page | Locator, labels: Readonly<Record<T, string>>): Field {
  const radio = (value: T) => scope.getByRole('radio', { name: labels[value], exact: true });
  const values = Object.keys(labels) as T[];
  return {
    read: async () => {
      const checked = await Promise.all(values.map((value) => radio(value).isChecked(soon)));
      return values.find((_, index) => checked[index]) ?? none;
    },
    // The browser's own mark is hidden behind a drawn one.
    write: (text) => radio(text as T).check({ force: true }),
  };
}

function planField(page: Page, box: Locator, { admin }: Words): Field {
  const names: Readonly<Record<string, string>> = {
    none: admin('form.tier.none'),
    ...Object.fromEntries(plans.map(({ id, name }) => [id, name])),
  };
  const frame = box.locator('xpath=ancestor::*[contains(@class, "ant-select ")][1]');
  const read = async () => {
    const shown = await frame.textContent(soon);
    return Object.keys(names).find((id) => names[id] === shown) ?? String(shown);
  };
  return {
    read,
    write: async (text) => {
      if ((await read()) === text) return;
      await box.click();
      await page
        .getByTitle(names[text] ?? none, { exact: true })
        .filter({ visible: true })
        .last()
        .click();
    },
  };
}

const isProxyEntry = (name: string): name is ProxyEntry => (proxyEntries as readonly string[]).includes(name);

/** Finds a field by its label. */
export function fieldOf(
  page: Page,
  scope: Page | Locator,
  words: Words,
  form: FormName,
  name: string,
): Field {
  const { proxy, admin, kit, settings, domains } = words;
  const text = (label: string) => textField(scope.getByLabel(label, { exact: true }));
  const notify = (kind: 'email' | 'system' | 'maintenance') =>
    switchField(scope.getByRole('switch', { name: new RegExp(`^${escaped(settings(`notify.${kind}`))}`) }));
  if (isProxyEntry(name)) return text(proxy(`field.${name}`));
  switch (name) {
    case 'host':
      return text(domains('add.host'));
    case 'username':
    case 'password':
      return text(admin(`form.${name}`));
    case 'note':
    case 'uses':
      return text(admin(`invitation.${name}`));
    case 'proxyLimit':
      return text(admin('form.limit'));
    case 'subscriptionTier':
      return planField(page, scope.getByRole('combobox', { name: admin('form.tier'), exact: true }), words);
    case 'isAdmin':
      return switchField(scope.getByRole('switch', { name: admin('form.isAdmin') }));
    case 'message':
      return text(proxy('pause.label.message'));
    case 'reason':
      return text(kit('suspension.reason'));
    case 'email':
      return text(settings('email'));
    case 'notify.email':
      return notify('email');
    case 'notify.system':
      return notify('system');
    case 'notify.maintenance':
      return notify('maintenance');
    case 'theme':
      return radioField(scope, { dark: settings('theme.dark'), light: settings('theme.light') });
    case 'accent':
      return radioField(
        scope,
        Object.fromEntries(accents.map((accent) => [accent, settings(`accent.${accent}`)])),
      );
    default:
      throw new Error(`${form} has no field ${name}`);
  }
}
