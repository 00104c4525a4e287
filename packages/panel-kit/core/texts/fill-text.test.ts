import { expect, it } from 'vitest';
import { fillText } from './fill-text.ts';

it('no line of a text ends between a number and its noun, and what a user has named stays as it is', () => {
  expect(fillText('{count} Proxys von {name}', { count: 3, name: '2 Server' })).toBe(
    '3\u00a0Proxys von 2 Server',
  );
  expect(fillText('{size} Einträge', { size: '1.234' })).toBe('1.234\u00a0Einträge');
  expect(fillText('Benutzer Nr. {id}, seit 365 Tagen', { id: 7 })).toBe(
    'Benutzer Nr.\u00a07, seit 365\u00a0Tagen',
  );
  expect(fillText('{who} {target} {missing}', { who: 'anna', target: 'den Proxy' })).toBe(
    'anna den Proxy {missing}',
  );
});
