import { expect, it } from 'vitest';
import { isLoopback, isOnlyHere } from './reach.ts';

it.each([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['::1', true],
  ['[::1]', true],
  ['localhost', true],
  ['tunnel.localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['localhost.example.com', false],
  ['notlocalhost', false],
  ['1270.example.com', false],
])('%s is the machine itself: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

it('a tunnel is for this machine alone by the edge’s address, or by its domain', () => {
  expect(isOnlyHere('127.0.0.1:7844', 'tunnel.example.com')).toBe(true);
  expect(isOnlyHere('edge.example.com:7844', 'tunnel.localhost')).toBe(true);
  expect(isOnlyHere('[::1]:7844', 'tunnel.example.com')).toBe(true);
  expect(isOnlyHere('edge.example.com:7844', 'tunnel.example.com')).toBe(false);
});
