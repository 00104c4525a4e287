import { Validator } from '@seriousme/openapi-schema-validator';
import { errors, routes } from '@talpa/contracts';
import { describe, expect, it } from 'vitest';
import { createOpenApi } from './openapi.ts';

const document = createOpenApi('1.2.3', 'talpa_session');
const operationOf = (name: string) => {
  const [method = '', path = ''] = name.split(' ');
  return document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as {
    security: unknown[];
    parameters: { name: string; in: string; required: boolean }[];
    requestBody?: {
      content: { 'application/json': { schema: { properties: object; required?: string[] } } };
    };
    responses: Record<string, unknown>;
  };
};

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate({ ...document });
    expect(result).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it.each(Object.entries(routes))(
    'describes %s with its parameters, body, access and errors',
    (name, entry) => {
      const operation = operationOf(name);
      const named = (isHeader: boolean) =>
        operation.parameters
          .filter((parameter) => (parameter.in === 'header') === isHeader)
          .map((parameter) => parameter.name);
      expect(named(true)).toEqual('idempotent' in entry ? ['Idempotency-Key'] : []);
      const described = [
        ...named(false),
        ...Object.keys(operation.requestBody?.content['application/json'].schema.properties ?? {}),
      ];
      expect(described.sort()).toEqual(Object.keys(entry.input.shape).sort());
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map((parameter) => `:${parameter.name}`)).toEqual(name.match(/:\w+/g) ?? []);
      expect(inPath.every((parameter) => parameter.required)).toBe(true);
      expect(operation.security.length > 0).toBe(entry.access !== 'public');
      for (const code of entry.errors)
        expect(operation.responses).toHaveProperty(String(errors[code].status));
    },
  );

  it.each(Object.entries(routes))('says of %s what a call without it lacks', (name, entry) => {
    const operation = operationOf(name);
    const required = [
      ...operation.parameters.filter((one) => one.in !== 'header' && one.required).map((one) => one.name),
      ...(operation.requestBody?.content['application/json'].schema.required ?? []),
    ];
    const lacking = entry.input.safeParse({}).error?.issues.map(({ path }) => path[0]) ?? [];
    expect(required.sort()).toEqual(lacking.sort());
  });

  it('takes no field that it does not name, at any depth', () => {
    const isObject = (value: unknown): value is Record<string, unknown> =>
      typeof value === 'object' && value !== null;
    const open = (value: unknown): unknown[] =>
      isObject(value)
        ? [
            ...(isObject(value.properties) && value.additionalProperties !== false ? [value] : []),
            // Browsers add to what a passkey says.
            ...Object.entries(value).flatMap(([name, one]) => (name === 'passkey' ? [] : open(one))),
          ]
        : [];
    const bodies = Object.keys(routes).map((name) => operationOf(name).requestBody);
    expect(bodies.flatMap(open)).toEqual([]);
    expect(JSON.stringify(bodies)).toContain('"additionalProperties":false');
  });

  it('refers only to schemas it has', () => {
    const { schemas } = document.components as { schemas: object };
    const referred = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)];
    expect(referred.length).toBeGreaterThan(0);
    for (const [, name] of referred) expect(schemas).toHaveProperty(name as string);
    expect(JSON.stringify(document)).not.toContain('$defs');
  });
});
