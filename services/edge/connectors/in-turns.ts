/**
 * Makes the function that has ids looked at, one look at a time: what is named meanwhile is looked at together in the
 * next one. Every role of the database can name ids as fast as it likes. What a look that failed was about is part of the next.
 */
export function inTurns(look: (ids: readonly string[]) => Promise<void>): (id: string) => Promise<void> {
  const named = new Set<string>();
  let isLooking = false;
  return async (id) => {
    named.add(id);
    if (isLooking) return;
    isLooking = true;
    try {
      while (named.size > 0) {
        const ids = [...named];
        named.clear();
        await look(ids).catch((error: unknown) => {
          for (const missed of ids) named.add(missed);
          throw error;
        });
      }
    } finally {
      isLooking = false;
    }
  };
}
