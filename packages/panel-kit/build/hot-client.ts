/** In the browser: applies each new build of `npm run dev`, and reloads the page where that is not possible. */
interface Hot {
  status(): string;
  /** Loads and applies what has changed. @returns null when the server no longer has it */
  check(apply: true): Promise<readonly unknown[] | null>;
  addStatusHandler(handler: (status: string) => void): void;
}
declare const __webpack_hash__: string;
declare const __webpack_module__: { readonly hot: Hot };
/** Which frontend this build is of; see `hot.ts`. */
declare const TALPA_FRONTEND: string;

const { hot } = __webpack_module__;
let latest = __webpack_hash__;

async function apply(): Promise<void> {
  if (latest === __webpack_hash__ || hot.status() !== 'idle') return;
  try {
    if (await hot.check(true)) return await apply();
  } catch (error) {
    console.info('[dev] this change needs the page to be loaded again', error);
  }
  location.reload();
}

// One stream for all builds in the page: browsers open six connections to one host.
const page = globalThis as { talpaBuilds?: EventSource };
page.talpaBuilds ??= new EventSource('/hot.events');
page.talpaBuilds.addEventListener(TALPA_FRONTEND, ({ data }: MessageEvent<string>) => {
  latest = data;
  void apply();
});
