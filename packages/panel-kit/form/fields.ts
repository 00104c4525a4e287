// First: the schemas must be made without zod's probe for eval, which the page's policy forbids.
import './no-eval.ts';

export * as fields from '@talpa/contracts/fields';
