import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { readInput } from './input.ts';
import { apiRoutes } from './table.ts';

it('an object made to look like a text is invalid input, not an error of ours', () => {
  const route = apiRoutes.find(({ name }) => name === 'POST /api/login');
  if (!route) throw new Error('there is no sign-in');
  const body = JSON.parse('{"username":"a","password":{"length":{"toString":1}}}');
  const request = { body, params: {} } as FastifyRequest;
  expect(() => readInput(route, request)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
});
