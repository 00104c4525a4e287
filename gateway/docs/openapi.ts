import {
  countedUpTo,
  type Entry,
  type ErrorCode,
  errorBody,
  errors,
  errorsOf,
  errorText,
} from '@talpa/contracts';
import { idempotencyKey, isExtensible } from '@talpa/contracts/fields';
import { z } from 'zod';
import { type ApiRoute, apiRoutes } from '../api/table.ts';

type Json = Record<string, unknown>;

export interface OpenApi {
  readonly openapi: '3.1.0';
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly [key: string]: unknown;
}

/** The OpenAPI 3.1 document of the API, made from the contract's table alone. */
export function createOpenApi(version: string, cookieName: string): OpenApi {
  const schemas = new NamedSchemas();
  const failures = new ErrorResponses(schemas.of(errorBody, 'output'));
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of apiRoutes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, schemas, failures) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Talpa', version, summary: 'Tunnels for game-server admin panels' },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: schemas.all,
      responses: failures.all,
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: cookieName },
        key: { type: 'http', scheme: 'bearer', description: 'An API key; each operation names its scope' },
      },
    },
  };
}

function operation(route: ApiRoute, schemas: NamedSchemas, failures: ErrorResponses): Json {
  const { entry, params, status, method } = route;
  const { properties = {}, required = [] } = schemas.of(entry.input, 'input', true) as {
    properties?: Json;
    required?: string[];
  };
  const hasBody = method === 'POST' || method === 'PUT';
  const fieldNames = Object.keys(properties);
  const bodyNames = hasBody ? fieldNames.filter((name) => !params.includes(name)) : [];
  const response = status === 204 ? {} : content(schemas.of(entry.response, 'output'), entry.media);
  return {
    operationId: entry.procedure.split('.')[1],
    tags: [tagOf(route)],
    summary: entry.summary,
    ...(entry.scope === null ? {} : { description: `Scope for API keys: \`${entry.scope}\`` }),
    security: securityOf(entry),
    parameters: [
      ...fieldNames
        .filter((name) => !bodyNames.includes(name))
        .map((name) => ({
          name,
          in: params.includes(name) ? 'path' : 'query',
          required: required.includes(name),
          schema: properties[name],
        })),
      ...(entry.idempotent
        ? [
            {
              name: 'Idempotency-Key',
              in: 'header',
              required: false,
              schema: schemas.of(idempotencyKey, 'input'),
            },
          ]
        : []),
    ],
    ...(bodyNames.length > 0
      ? { requestBody: { required: true, ...content(bodyOf(bodyNames, properties, required)) } }
      : {}),
    responses: {
      [status]: {
        description: 'Done',
        ...(entry.effect === 'page' ? { headers: pageHeaders } : {}),
        ...response,
      },
      ...failures.of(errorsOf(entry)),
    },
  };
}

function securityOf({ access, scope }: Entry): Json[] {
  if (access === 'public') return [];
  return [{ session: [] }, ...(scope === null ? [] : [{ key: [scope] }])];
}

function bodyOf(names: readonly string[], properties: Json, required: readonly string[]): Json {
  const needed = required.filter((name) => names.includes(name));
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, properties[name]])),
    additionalProperties: false,
    ...(needed.length > 0 ? { required: needed } : {}),
  };
}

/**
 * One response a status, with an example of each error that has it. Operations refer to them: Swagger UI reads all of
 * the document before it shows a line.
 */
class ErrorResponses {
  readonly all: Record<string, Json> = {};
  readonly #names = new Map<string, string>();
  readonly #schema: Json;

  constructor(schema: Json) {
    this.#schema = schema;
  }

  of(codes: readonly ErrorCode[]): Json {
    const byStatus = Map.groupBy(new Set(codes), (code) => errors[code].status);
    return Object.fromEntries(
      [...byStatus].map(([status, group]) => [
        status,
        { $ref: `#/components/responses/${this.#named(status, group.sort())}` },
      ]),
    );
  }

  #named(status: number, codes: readonly ErrorCode[]): string {
    const key = codes.join();
    const name = this.#names.get(key) ?? `${status}-${this.#names.size + 1}`;
    this.#names.set(key, name);
    this.all[name] ??= {
      description: codes.map((code) => `\`${code}\`: ${errorText(code, 'en')}`).join('  \n'),
      content: {
        'application/json': {
          schema: this.#schema,
          examples: Object.fromEntries(
            codes.map((code) => [
              code,
              { value: { code, message: errorText(code, 'de'), requestId: '0b9d2a3c-…' } },
            ]),
          ),
        },
      },
    };
    return name;
  }
}

/** What travels beside a list. */
const pageHeaders = {
  Link: {
    description: 'The next page, as `<…>; rel="next"`; absent on the last',
    schema: { type: 'string' },
  },
  'X-Total-Count': {
    description: `How many there are; above ${countedUpTo} only \`${countedUpTo}+\``,
    schema: { type: 'string' },
  },
};

const content = (schema: Json, media = 'application/json') => ({ content: { [media]: { schema } } });

/** The first word of the path says what an operation is about. */
const tagOf = ({ path }: ApiRoute) => path.split('/')[2] ?? 'api';

/**
 * Marks every field that a request must have, and that it may have no other. zod omits those that it converts first, such as
 * numbers written as text.
 */
function markFields({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: object }): void {
  if (!(zodSchema instanceof z.ZodObject)) return;
  const fields = Object.entries(zodSchema.shape as Readonly<Record<string, z.ZodType>>);
  const required = fields.filter(([, field]) => !field.safeParse(undefined).success).map(([name]) => name);
  Object.assign(
    jsonSchema,
    isExtensible(zodSchema) ? {} : { additionalProperties: false },
    required.length > 0 ? { required } : {},
  );
}

/** JSON schemas of zod schemas; those with an id are collected and referred to. */
class NamedSchemas {
  readonly all: Record<string, Json> = {};

  /** @param inline gives the schema itself even if it has an id. */
  of(schema: z.ZodType, io: 'input' | 'output', inline = false): Json {
    const { $schema, $defs, ...root } = z.toJSONSchema(schema, {
      io,
      ...(io === 'input' && { override: markFields }),
    }) as Json & {
      $defs?: Record<string, Json>;
      $ref?: string;
    };
    const definitions = $defs ?? {};
    const itself = root.$ref === undefined ? undefined : definitions[root.$ref.replace('#/$defs/', '')];
    if (inline && itself) return this.#moved(itself);
    for (const [name, definition] of Object.entries(definitions)) this.all[name] = this.#moved(definition);
    return this.#moved(root);
  }

  #moved(schema: Json): Json {
    return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
  }
}
