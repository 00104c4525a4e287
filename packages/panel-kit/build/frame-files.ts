import type { Compilation, Module } from '@rspack/core';

type Graphs = Pick<Compilation, 'chunkGraph'>;

/** What asks for the code of the frame around each page: the start, and the shared modules it imports. */
const asksForFrame =
  /^(provide|consume) shared module \(default\) (react|react-dom|react-dom\/client|react\/jsx-runtime|@tanstack\/react-query|@talpa\/panel-kit\/(core|router|ui))@\d/;

function isOfFrame(module: Module, { chunkGraph }: Graphs): boolean {
  // A file waits for the shared modules that it consumes: one that also provides them would wait for itself.
  if (module.type === 'consume-shared-module') return false;
  const groups = chunkGraph.getModuleChunks(module).flatMap((chunk) => [...chunk.groupsIterable]);
  return groups.some(({ origins }) =>
    origins.some(
      (origin) =>
        origin.request === './bootstrap.tsx' || asksForFrame.test(origin.module?.identifier() ?? ''),
    ),
  );
}

/**
 * The frame's code is two files, not twenty: each request costs the line its headers, and larger files compress better.
 * An update of Talpa changes the smaller one.
 */
export const frameFiles = {
  libraries: {
    name: 'libraries',
    enforce: true,
    test: (module: Module, graphs: Graphs) =>
      (module.nameForCondition() ?? '').includes('/node_modules/') && isOfFrame(module, graphs),
    priority: 20,
  },
  frame: { name: 'frame', enforce: true, test: isOfFrame, priority: 10 },
};
