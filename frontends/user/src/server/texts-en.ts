import type { de } from './texts-de.ts';

export const en: Readonly<Record<keyof typeof de, string>> = {
  loadFailed: 'The server could not be loaded',
  notFound: 'Server not found',
  'notFound.text': 'The server has been deleted, or the link is wrong.',
  'gone.text': 'The server “{name}” no longer exists.',
  kind_one: 'Server with {count} proxy',
  kind_other: 'Server with {count} proxies',
  owner: 'Owner: user #{id}',
  'shared.part': 'You’re seeing the proxies on this server that you’re a member of.',
  'absence.lost': 'This server’s connector is not connected',
  'absence.lost.text':
    'Visitors can’t reach the admin panels. Check whether the server is running and the connector has started as a service.',
  'absence.lost.empty': 'Check whether the server is running and the connector has started as a service.',
  'absence.never': 'No connector is installed on this server yet',
  'absence.never.text':
    'The admin panels are available as soon as the connector is running with this server’s token.',
  'absence.never.empty':
    'One command installs the connector and finds your admin panels. You can also create a proxy yourself.',
  connect: 'Connect',
  'events.none': 'Changes to this server and its connector’s connections will show up here.',
  proxies: 'Proxies on this server',
  'proxies.none': 'No proxies on this server yet',
  'proxies.none.text':
    'While the connector is connected, a new proxy is available immediately. There’s nothing else to install.',
  rename: 'Rename',
  'rename.title': 'Rename server',
  'rename.name': 'Name',
  'rename.submit': 'Save',
  'rename.done': 'Server renamed',
  'rename.failed': 'The server could not be renamed',
  token: 'Server token',
  'token.show': 'Show token',
  'token.text':
    'The connector signs in with it. Anyone who knows it can take over all admin panels on this server.',
  'token.failed': 'The token could not be fetched',
  'token.new.why':
    'The tunnel is replaced with a new one. No admin panel on this server can be reached until the connector has the new token.',
  'token.new.why.shared':
    'Somebody besides you knows the token. With a new one, no admin panel on this server can be reached until the connector has it.',
  delete: 'Delete server',
  'delete.why': 'The server and its tunnel will be deleted. This cannot be undone.',
  'delete.notEmpty': 'Delete or move its proxies first.',
  'delete.title': 'Delete server?',
  'delete.text':
    '“{name}” and its tunnel will be deleted, and its connector can no longer connect. This cannot be undone.',
  'delete.submit': 'Delete permanently',
  'delete.done': 'Server deleted',
  'delete.failed': 'The server was not deleted',
};
