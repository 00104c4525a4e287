// Shared once in the browser, loaded with the one page that asks for days. See ui.ts.
export { DateInput } from './date/date-input.tsx';
