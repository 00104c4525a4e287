import { providerIdPattern } from '@talpa/contracts/identities';
import { z } from 'zod';

const discord = 'https://discord.com';
const issuer = z
  .url({ protocol: /^https?$/, error: 'not an http or https address' })
  .refine((text) => !/[?#@]/.test(text), 'an address without name, query and fragment')
  .transform((text) => text.replace(/\/$/, ''));

const common = {
  /** Stands in the redirect URI. */
  id: z.string().regex(providerIdPattern, 'lower-case letters, digits and hyphens'),
  /** What the button says. */
  label: z.string().trim().min(1).max(40),
  clientId: z.string().min(1).max(500),
  clientSecret: z.string().min(1).max(1_000),
  /** Whether somebody without an account gets one, where REGISTRATION is `open`. */
  createAccounts: z.boolean().default(false),
  /** Whether it asks for a second factor itself, so that Talpa does not. */
  trustedForSecondFactor: z.boolean().default(false),
};
const provider = z.discriminatedUnion('kind', [
  z.strictObject({ ...common, kind: z.literal('openid'), issuer }),
  // Its own address can be replaced, for tests alone.
  z.strictObject({ ...common, kind: z.literal('discord'), issuer: issuer.default(discord) }),
]);
export type ProviderSettings = z.output<typeof provider>;

/** A list in JSON. What is wrong is said without a value: there are secrets among them. */
export const signInProviders = z
  .string()
  .default('')
  .transform((text, context): readonly ProviderSettings[] => {
    const refuse = (message: string) => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    if (text.trim() === '') return [];
    const list = parse(text);
    if (!Array.isArray(list)) return refuse('not a list in JSON');
    const providers: ProviderSettings[] = [];
    for (const [index, given] of list.entries()) {
      const kind = typeof given === 'object' && given !== null ? { kind: 'openid', ...given } : given;
      const result = provider.safeParse(kind);
      if (!result.success) return refuse(`provider ${index + 1}: ${problem(result.error)}`);
      providers.push(result.data);
    }
    for (const name of ['id', 'issuer'] as const)
      if (new Set(providers.map((one) => one[name])).size < providers.length)
        return refuse(`two providers have the same ${name}`);
    return providers;
  });

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function problem({ issues: [issue] }: z.ZodError): string {
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.join(', ') : undefined;
  if (unknown) return `unknown: ${unknown}`;
  return `${issue?.path.join('.') || 'all of it'}: ${issue?.message ?? 'invalid'}`;
}
