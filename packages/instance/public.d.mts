/** See public.mjs: plain JavaScript, because the bootstrap asks before there is a Node for TypeScript. */
export function withPublicDefaults(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
