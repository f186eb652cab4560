/** Decodes binary frames of ticks by the schema that was sent before them. */

import { CELL_BYTES, FRAME_HEADER_BYTES, type Schema, type SchemaColumn } from "../generated";

/** The ticks of one frame; the values are views into the frame. */
export class Batch {
  constructor(
    readonly decoder: Decoder,
    readonly count: number,
    readonly firstK: number,
    /** Ticks lost between the controller and the server before this frame. */
    readonly missed: number,
    readonly every: number,
    private readonly cells: Float64Array,
  ) {}

  /** The values of a column in row i; empty if the page has not subscribed to it. */
  row(name: string, i: number): Float64Array {
    const column = this.decoder.columns.get(name);
    if (!column) return new Float64Array(0);
    const at = i * this.decoder.cellsPerRow + column.offset / CELL_BYTES;
    return this.cells.subarray(at, at + column.size);
  }

  /** The text of a column in row i. */
  text(name: string, i: number): string {
    const cells = this.row(name, i);
    const bytes = new Uint8Array(cells.buffer, cells.byteOffset, cells.byteLength);
    const end = bytes.indexOf(0);
    return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
  }
}

export class Decoder {
  readonly id: number;
  readonly columns: Map<string, SchemaColumn>;
  readonly cellsPerRow: number;

  constructor(schema: Schema) {
    this.id = schema.id;
    this.columns = new Map(schema.columns.map((column) => [column.name, column]));
    this.cellsPerRow = schema.stride / CELL_BYTES;
  }

  /** The ticks of a frame; null if it has another schema or is incomplete. */
  decode(frame: ArrayBuffer): Batch | null {
    if (frame.byteLength < FRAME_HEADER_BYTES) return null;
    const view = new DataView(frame);
    const count = view.getUint32(4, true);
    const bytes = count * this.cellsPerRow * CELL_BYTES;
    if (view.getUint32(0, true) !== this.id || frame.byteLength !== FRAME_HEADER_BYTES + bytes)
      return null;
    return new Batch(
      this,
      count,
      Number(view.getBigUint64(8, true)),
      view.getUint32(16, true),
      view.getUint32(20, true),
      new Float64Array(frame, FRAME_HEADER_BYTES, count * this.cellsPerRow),
    );
  }
}
