type Child = Node | string;
type Attributes = Readonly<Record<string, string | boolean | ((event: Event) => void)>>;

/** An element; texts become text nodes, so that no name is ever read as markup. Functions listen to the event they are named after. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (typeof value === 'boolean') element.toggleAttribute(name, value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** The element with this id, which the page has. */
export function byId<T extends HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no #${id}`);
  return element as T;
}

const LONGEST = 300;

/** A text for the page: as it is, or its beginning and how long it is. */
export function shortened(text: string, longest = LONGEST): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`;
}
