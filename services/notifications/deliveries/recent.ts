const dayMs = 86_400_000;

/** Whether something was made lately. The first snapshot of what is older comes from a projection that is built anew. */
export const isRecent = (createdAt: string): boolean => Date.parse(createdAt) > Date.now() - dayMs;
