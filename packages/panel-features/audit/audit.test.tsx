import { auditActions, type Language, languages } from '@talpa/contracts';
import { LanguageScope } from '@talpa/panel-kit/core';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { useAuditChanges } from './changes.ts';
import { deviceOf } from './device.ts';
import { repeatedRows } from './repeated.ts';
import { type AuditDeed, useAuditSentence } from './sentences.ts';

/** What a hook says when a component uses it. */
function said(use: () => string, language: Language = 'de'): string {
  const Speaker = (): ReactNode => use();
  return renderToStaticMarkup(
    <LanguageScope value={language}>
      <Speaker />
    </LanguageScope>,
  );
}
const proxy = { kind: 'proxy', id: '7', label: 'Alpha' } as const;
const sentence = (deed: AuditDeed, me?: number, language?: Language) =>
  said(() => useAuditSentence(me)(deed), language);

describe('an audit row', () => {
  it('is a whole sentence for each action, in both languages', () => {
    for (const language of languages) {
      for (const action of auditActions) {
        const text = sentence(
          { actor: { kind: 'administrator' }, action, target: proxy },
          undefined,
          language,
        );
        expect(text, `${language} ${action}`).toMatch(/^\p{Lu}[^{}]+\.$/u);
      }
    }
  });

  it('names who and what, and the reader’s own account as theirs', () => {
    const self = { kind: 'self' } as const;
    expect(sentence({ actor: self, action: 'proxy.create', target: proxy })).toBe(
      'Sie haben den Proxy „Alpha“ angelegt.',
    );
    const account = { kind: 'user', id: '3', label: null } as const;
    const admin = { kind: 'administrator' } as const;
    expect(sentence({ actor: admin, action: 'user.suspend', target: account }, 3)).toBe(
      'Ein Administrator hat Ihr Konto gesperrt.',
    );
    const erika = { kind: 'user', name: 'erika' } as const;
    expect(sentence({ actor: erika, action: 'user.delete', target: account })).toBe(
      'erika hat das Konto Nr.\u00a03 gelöscht.',
    );
    const settings = { action: 'user.changePreferences', target: account } as const;
    expect(sentence({ actor: self, ...settings }, 3)).toBe('Sie haben Ihre Einstellungen geändert.');
    expect(sentence({ actor: self, ...settings }, 3, 'en')).toBe('You changed your settings.');
    expect(sentence({ actor: erika, ...settings }, undefined, 'en')).toBe('erika changed their settings.');
  });

  it('names the member whom it concerns, once', () => {
    const self = { kind: 'self' } as const;
    const changes = { member: { to: 'erika' }, role: { to: 'view' } };
    expect(sentence({ actor: self, action: 'proxy.inviteMember', target: proxy, changes })).toBe(
      'Sie haben erika zu dem Proxy „Alpha“ eingeladen.',
    );
    const fields = () =>
      said(() =>
        useAuditChanges()(changes, 'proxy.inviteMember')
          .map(({ field }) => field)
          .join(),
      );
    expect(fields()).toBe('role');
    const left = { actor: self, action: 'proxy.removeMember', target: proxy, changes: {} } as const;
    expect(sentence(left, undefined, 'en')).toBe('You took somebody’s access to the proxy “Alpha” away.');
  });

  it('stands once where it repeats those before it, and again after another', () => {
    const rows = ['a', 'a', 'b', 'a'].map((text, at) => ({ text, at }));
    const times = repeatedRows(rows, ({ text }) => [text]).map((same) => same.map(({ at }) => at));
    expect(times).toEqual([[0, 1], [2], [3]]);
  });

  it('describes its changes in words, and of a secret only that it changed', () => {
    const changes = { tier: { from: null, to: 'premium' }, password: {}, isAdmin: { from: false, to: true } };
    const text = said(() =>
      useAuditChanges()(changes)
        .map(({ label, from, to }) => `${label}: ${from} → ${to}`)
        .join('; '),
    );
    expect(text).toBe('Plan: kein Plan → Premium; Passwort: null → geändert; Administrator: nein → ja');
  });

  it('names both plans of a change, and shows no value that reads as before', () => {
    const plan = { kind: 'subscription', id: '3', label: null } as const;
    const deed = (changes: AuditDeed['changes']): AuditDeed => ({
      actor: { kind: 'self' },
      action: 'subscription.change',
      target: plan,
      ...(changes ? { changes } : {}),
    });
    const switched = {
      tier: { from: 'basic', to: 'premium' },
      expiry: { from: '2026-12-05T10:00:00.000Z', to: '2026-12-05T10:03:00.000Z' },
      proxyLimit: { from: 3, to: 10 },
    };
    const described = () =>
      said(() =>
        useAuditChanges()(switched, 'subscription.change')
          .map(({ field }) => field)
          .join(),
      );
    expect(sentence(deed(switched))).toBe('Sie haben den Plan von „Basic“ zu „Premium“ gewechselt.');
    expect(sentence(deed({ tier: { from: null, to: 'free' } }))).toBe(
      'Sie haben den Plan „Starter“ gewählt.',
    );
    expect(sentence(deed({ expiry: switched.expiry }))).toBe('Sie haben Ihren Plan verlängert.');
    expect(described()).toBe('proxyLimit');
    expect(sentence(deed(switched), undefined, 'en')).toBe(
      'You switched from the “Basic” plan to the “Premium” plan.',
    );
  });
});

it('a browser’s own description comes down to its name and system, or to nothing', () => {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  expect(deviceOf(firefox)).toEqual({ browser: 'Firefox 140', system: 'Linux', isPhone: false });
  const iPhone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
  expect(deviceOf(iPhone)).toEqual({ browser: 'Safari 18', system: 'iOS', isPhone: true });
  expect(deviceOf('curl/8.5.0')).toEqual({ browser: 'curl', system: null, isPhone: false });
  for (const none of ['', ' ']) expect(deviceOf(none).browser).toBeNull();
});
