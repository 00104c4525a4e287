const maximumEntries = 1_000;
/** A longer text is not kept: visitors choose what they send. */
const longestKey = 256;

/** Makes a function that keeps its last results, in bounded memory. */
export function remembering<Value>(compute: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const value = compute(text);
    if (text.length > longestKey) return value;
    if (known.size >= maximumEntries) known.clear();
    known.set(text, value);
    return value;
  };
}
