declare module '*?worker&inline' {
  const InlineWorker: new (options?: { name?: string }) => Worker;
  // biome-ignore lint/style/noDefaultExport: Vite's plugin has it so
  export default InlineWorker;
}
