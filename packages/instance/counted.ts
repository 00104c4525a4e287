const rules = new Intl.PluralRules('en');

/** A number with its noun in the right form: “1 tunnel”, “2 tunnels”. @param many the noun with an s when left out */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${rules.select(count) === 'one' ? one : many}`;
}
