// Shared once in the browser: what every page shows. The only way to antd, with form.ts and table.ts.
export { Alert, Button, Progress, Tag } from 'antd';
export { Change } from './ui/change.tsx';
export { CopyButton } from './ui/copy-button.tsx';
export { nonceForStyles } from './ui/csp.ts';
export { ErrorBoundary } from './ui/error-boundary.tsx';
export { GermanOnly } from './ui/german-only.tsx';
export { IconButton } from './ui/icon-button.tsx';
export { LanguageSwitcher } from './ui/language-switcher.tsx';
export { LinkButton } from './ui/link-button.tsx';
export { EmptyState, ErrorCard, Loading } from './ui/notice.tsx';
export { Page, Panel } from './ui/page.tsx';
export { PageHeading } from './ui/page-heading.tsx';
export { onSwatch, swatchOf } from './ui/palette.ts';
export { Skeleton } from './ui/skeleton.tsx';
export { Spinner } from './ui/spinner.tsx';
export { ThemeProvider } from './ui/theme-provider.tsx';
export { Tooltip } from './ui/tooltip.tsx';
