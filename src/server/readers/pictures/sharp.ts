/** sharp for a process of pictures. Loaded by `import()`: a static import of a package is loaded with the bundle. */
const { default: sharp } = await import('sharp');

// The processes already run in parallel, and files do not repeat.
sharp.concurrency(1);
sharp.cache(false);

export { sharp };
