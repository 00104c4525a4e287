import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

/*
 * Nest's decorators and their metadata are no erasable syntax: files of this folder are compiled as they are
 * loaded, with the options of Nest's own SWC recipe.
 */
registerHooks({
  load: (url, context, nextLoad) => {
    if (!url.includes('/peers/nest/')) return nextLoad(url, context);
    const { code } = transformSync(readFileSync(fileURLToPath(url), 'utf8'), {
      jsc: {
        target: 'es2024',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true },
        keepClassNames: true,
      },
    });
    return { format: 'module', source: code, shortCircuit: true };
  },
});
