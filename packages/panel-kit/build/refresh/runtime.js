// In the browser there is one React and, with several builds in one page, one React Refresh: each knows only the components that
// it is registered with, and React asks the last one alone.
import * as own from 'react-refresh-of-this-build';

globalThis.__talpaReactRefresh ??= own;
const shared = globalThis.__talpaReactRefresh;

export const {
  createSignatureFunctionForTransform,
  getFamilyByID,
  getFamilyByType,
  injectIntoGlobalHook,
  isLikelyComponentType,
  performReactRefresh,
  register,
} = shared;
