export interface PageInfo {
  readonly page: number;
  readonly per_page: number;
  readonly count: number;
  readonly total_count: number;
}

/** A page of a list and its position. */
export class Page {
  readonly items: readonly unknown[];
  readonly info: PageInfo;

  constructor(items: readonly unknown[], at: { page: number; per_page: number }, totalCount: number) {
    this.items = items;
    this.info = { page: at.page, per_page: at.per_page, count: items.length, total_count: totalCount };
  }
}

/** A page of a list. What there is in all is asked for only where the page does not show it by ending early. */
export async function pageOf(
  items: readonly unknown[],
  at: { readonly page: number; readonly per_page: number },
  countAll: () => Promise<number>,
): Promise<Page> {
  const before = (at.page - 1) * at.per_page;
  const isLast = items.length < at.per_page && (items.length > 0 || before === 0);
  return new Page(items, at, isLast ? before + items.length : await countAll());
}

/** The body of every success. */
export function success(result: unknown) {
  const common = { success: true, errors: [], messages: [] };
  return result instanceof Page
    ? { result: result.items, ...common, result_info: { ...result.info, total_pages: pages(result.info) } }
    : { result, ...common };
}

/** The body of every failure. */
export function failure(code: number, message: string) {
  return { result: null, success: false, errors: [{ code, message }], messages: [] };
}

function pages(info: PageInfo): number {
  return Math.ceil(info.total_count / info.per_page);
}
