import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { type Configuration, rspack } from '@rspack/core';
import { ReactRefreshRspackPlugin } from '@rspack/plugin-react-refresh';

const require = createRequire(import.meta.url);
const here = import.meta.dirname;
/** The names of modules begin here: those of two builds in one page must differ. */
const context = join(here, '../../..');

/**
 * A frontend's configuration for `npm run dev`: each change reaches an open page, and components keep their state.
 * @param config of `shellConfig` or `remoteConfig`
 * @param output the folder of the build
 */
export function hotConfig(config: Configuration, output: string): Configuration {
  return {
    ...config,
    name: basename(config.context ?? ''),
    mode: 'development',
    infrastructureLogging: { level: 'error' },
    context,
    // The page's policy forbids `eval`.
    devtool: 'cheap-module-source-map',
    output: {
      ...config.output,
      path: output,
      filename: '[name].js',
      cssFilename: '[name].css',
      // A page that is late needs the updates of builds before the last one, too: without them it is loaded again.
      clean: { keep: /hot-update/ },
      hotUpdateChunkFilename: '[id].[fullhash].hot-update.js',
    },
    resolve: {
      ...config.resolve,
      alias: {
        'react-refresh': join(here, 'refresh'),
        'react-refresh-of-this-build$': require.resolve('react-refresh/runtime'),
      },
    },
    module: { ...config.module, rules: (config.module?.rules ?? []).map(refreshing) },
    plugins: [
      ...(config.plugins ?? []),
      new rspack.HotModuleReplacementPlugin(),
      new rspack.DefinePlugin({ TALPA_FRONTEND: JSON.stringify(basename(config.context ?? '')) }),
      new ReactRefreshRspackPlugin({ library: 'talpa', exclude: [/[\\/]node_modules[\\/]/, here] }),
      // Without a name: in front of every entry, also of what a remote exposes.
      new rspack.EntryPlugin(context, join(here, 'hot-client.ts'), {}),
    ],
  };
}

type Rule = NonNullable<NonNullable<Configuration['module']>['rules']>[number];

/** The same rule; TypeScript is compiled with what React Refresh needs. */
function refreshing(rule: Rule): Rule {
  if (!rule || typeof rule === 'string' || rule.loader !== 'builtin:swc-loader') return rule;
  const options = structuredClone(rule.options) as { jsc: { transform: { react: object } } };
  Object.assign(options.jsc.transform.react, { development: true, refresh: true });
  return { ...rule, options };
}
