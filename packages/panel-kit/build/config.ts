import { basename, join } from 'node:path';
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack';
import { type Configuration, rspack } from '@rspack/core';
import { frameFiles } from './frame-files.ts';
import { sharedBy } from './shared.ts';

const hashed = '[name].[contenthash:10]';

/** What the builds of all frontends have in common. @param folder the frontend's own */
function baseConfig(folder: string): Configuration {
  return {
    context: folder,
    // Production without source maps: the panel's source is no secret, but nobody needs to load it.
    devtool: false,
    output: {
      filename: `${hashed}.js`,
      cssFilename: `${hashed}.css`,
      assetModuleFilename: 'assets/[name].[contenthash:10][ext]',
      uniqueName: `talpa-${basename(folder)}`,
    },
    resolve: { extensions: ['.ts', '.tsx', '.js'] },
    module: {
      rules: [
        {
          test: /\.tsx?$/,
          loader: 'builtin:swc-loader',
          options: {
            jsc: {
              parser: { syntax: 'typescript', tsx: true },
              transform: { react: { runtime: 'automatic' } },
              target: 'es2022',
            },
          },
          type: 'javascript/auto',
        },
        { test: /\.module\.css$/, type: 'css/module' },
        { test: /(?<!\.module)\.css$/, type: 'css' },
        { test: /\.(woff2|svg)$/, type: 'asset/resource' },
      ],
      parser: { 'css/module': { namedExports: false } },
      generator: { 'css/module': { localIdentName: '[name]-[local]-[hash:6]' } },
    },
    performance: { hints: false },
  };
}

/** A remote: exposes its `routes`, brings nothing that the shell provides. */
export function remoteConfig(folder: string): Configuration {
  const name = basename(folder);
  const base = baseConfig(folder);
  return {
    ...base,
    // Nothing but what it exposes.
    entry: {},
    output: { ...base.output, publicPath: 'auto' },
    plugins: [
      new ModuleFederationPlugin({
        name,
        filename: 'remoteEntry.[contenthash:10].js',
        exposes: { './routes': join(folder, 'src/routes.tsx') },
        shared: sharedBy('remote'),
        shareStrategy: 'loaded-first',
        manifest: true,
        dts: false,
        // The federation runtime is the shell's, too.
        experiments: { externalRuntime: true },
      }),
    ],
  };
}

/** The shell: the host of all remotes, and the page itself. */
export function shellConfig(folder: string): Configuration {
  const base = baseConfig(folder);
  return {
    ...base,
    entry: { main: join(folder, 'src/index.ts') },
    output: { ...base.output, publicPath: '/' },
    optimization: { splitChunks: { cacheGroups: frameFiles } },
    plugins: [
      new ModuleFederationPlugin({
        name: 'shell',
        remotes: {},
        // A manifest lists a remote's files for the shell. Nobody loads the shell as a remote.
        manifest: false,
        shared: sharedBy('shell'),
        // With the default every remote is loaded at start, and one dead remote blanks the shell.
        shareStrategy: 'loaded-first',
        dts: false,
        experiments: { provideExternalRuntime: true },
      }),
      // The file of the Latin letters without the weights that the panel never uses: 28 kB instead of 48 (`src/fonts`).
      new rspack.NormalModuleReplacementPlugin(
        /inter-latin-wght-normal\.woff2$/,
        join(folder, 'src/fonts/inter-latin.woff2'),
      ),
      new rspack.HtmlRspackPlugin({ template: join(folder, 'index.html'), inject: 'body', minify: false }),
      new rspack.CopyRspackPlugin({ patterns: [{ from: join(folder, 'public'), noErrorOnMissing: true }] }),
    ],
  };
}
