import { sliceAt } from '../lanes/level-of-detail.ts';
import { GUTTER } from './draw.ts';
import type { TimelineView } from './view.ts';

const REACH = 4;
const DRAG = 4;

/** Click selects, drag measures, with Shift it moves; the wheel with Ctrl zooms, with Shift it moves. */
export function listenToPointer(canvas: HTMLCanvasElement, view: TimelineView): void {
  let down: { x: number; y: number; isPan: boolean; from: number; to: number; isDrag: boolean } | undefined;
  const timeAt = (x: number) => {
    const { from, to } = view.viewport;
    return from + ((x - GUTTER) / (view.width - GUTTER)) * (to - from);
  };
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    down = { x: event.offsetX, y: event.offsetY, isPan: event.shiftKey, ...view.viewport, isDrag: false };
  });
  canvas.addEventListener('pointermove', (event) => {
    if (down === undefined) return;
    const moved = event.offsetX - down.x;
    if (!down.isDrag && Math.abs(moved) < DRAG) return;
    down.isDrag = true;
    if (down.isPan) {
      const by = (moved / (view.width - GUTTER)) * (down.to - down.from);
      view.setRange({ from: down.from - by, to: down.to - by });
      return;
    }
    const [from = 0, to = 0] = [timeAt(down.x), timeAt(event.offsetX)].sort((a, b) => a - b);
    view.measure = { from, to };
    view.redraw();
  });
  canvas.addEventListener('pointerup', (event) => {
    const wasDrag = down?.isDrag ?? true;
    down = undefined;
    if (wasDrag) return;
    view.measure = undefined;
    const row = view.rowAt(event.offsetY);
    const lane = row?.lane;
    if (row === undefined || lane === undefined || event.offsetX < GUTTER) return;
    const { from, to } = view.viewport;
    const slice = sliceAt(lane, timeAt(event.offsetX), ((to - from) / (view.width - GUTTER)) * REACH);
    const operation = slice === undefined ? undefined : lane.operations[slice];
    if (operation === undefined || slice === undefined) view.select(undefined);
    else {
      const block = lane.blocks?.[slice];
      view.select({ run: row.run, operation, ...(block === undefined ? {} : { block }) });
    }
  });
  canvas.addEventListener(
    'wheel',
    (event) => {
      if (event.ctrlKey) view.zoomBy(Math.exp(event.deltaY / 300), timeAt(event.offsetX));
      else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        view.panBy((event.deltaX || event.deltaY) / (view.width - GUTTER));
      } else return;
      event.preventDefault();
    },
    { passive: false },
  );
}
