declare module '*?worker&inline' {
  const InlineWorker: new (options?: { name?: string }) => Worker;
  export { InlineWorker as default };
}
