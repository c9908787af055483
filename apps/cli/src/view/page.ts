import { readFile } from 'node:fs/promises';
import { VIEWER_PAGE } from '@griddep/viewer';
import { InputError } from '../input/input-error.ts';

/** Where the page finds what it shows. */
export type PageSource =
  | { readonly data: string }
  | { readonly data: string; readonly live: string }
  | { readonly base64: string };

/** The page can ask its own server, and otherwise nobody: also a name from a file that were read as markup could not. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'unsafe-inline' blob: data:; worker-src blob: data:; style-src 'unsafe-inline'; img-src data: blob:; connect-src 'self' data:; base-uri 'none'; form-action 'none'";

const PLACE = '<script type="application/json" id="griddep-source">null</script>';

/** The viewer's page, told where its data is. */
export async function viewerPage(source: PageSource): Promise<string> {
  const html = await readFile(VIEWER_PAGE, 'utf8');
  if (!html.includes(PLACE)) throw new InputError('the viewer is not built: run `npm run build`');
  const policy = `<meta http-equiv="Content-Security-Policy" content="${PAGE_POLICY}">`;
  return html
    .replace(PLACE, () => PLACE.replace('null', () => JSON.stringify(source)))
    .replace('<head>', () => `<head>\n    ${policy}`);
}
