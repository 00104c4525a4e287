import type { de } from './texts-de.ts';

export const en: Readonly<Record<keyof typeof de, string>> = {
  keys: 'Install commands',
  'keys.text':
    'A server connects itself with one of these, without knowing your password. The panel creates one whenever it shows it.',
  'keys.empty': 'No command is valid right now.',
  'keys.failed': 'Your install commands could not be loaded',
  'keys.for': 'For',
  'keys.forProxy': 'the proxy “{name}”',
  'keys.forGone': 'proxy #{id}',
  'keys.forNew': 'a new proxy',
  'keys.expires': 'Expires',
  'keys.used': 'Used',
  'keys.usedOf': '{used} of {uses}',
  'keys.usedUp': 'Used up',
  'keys.revoke': 'Revoke…',
  'keys.revoke.of': 'Revoke the install command “{name}”',
  'keys.revoke.title': 'Revoke install command?',
  'keys.revoke.text':
    'No more servers can connect with “{name}”. Servers that are already connected stay connected.',
  'keys.revoke.submit': 'Revoke command',
  'keys.revoke.done': 'Install command revoked',
  'keys.revoke.failed': 'The command was not revoked',
};
