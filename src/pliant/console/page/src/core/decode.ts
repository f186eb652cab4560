/** Binary frames of ticks, read by nothing but the schema that came before them. */

import type { Schema, SchemaColumn } from "../generated";

const HEADER_BYTES = 24;
const CELL_BYTES = 8;

/** Some ticks; the values stay in the frame and are looked at there. */
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

  /** Where a column's values of row i are; empty if it is not subscribed. */
  row(name: string, i: number): Float64Array {
    const column = this.decoder.columns.get(name);
    if (!column) return new Float64Array(0);
    const at = i * this.decoder.cellsPerRow + column.offset / CELL_BYTES;
    return this.cells.subarray(at, at + column.size);
  }

  /** A column of text in row i. */
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

  /** The ticks of a frame, or null if it was packed by another schema or is cut short. */
  decode(frame: ArrayBuffer): Batch | null {
    if (frame.byteLength < HEADER_BYTES) return null;
    const view = new DataView(frame);
    const count = view.getUint32(4, true);
    const bytes = count * this.cellsPerRow * CELL_BYTES;
    if (view.getUint32(0, true) !== this.id || frame.byteLength !== HEADER_BYTES + bytes)
      return null;
    return new Batch(
      this,
      count,
      Number(view.getBigUint64(8, true)),
      view.getUint32(16, true),
      view.getUint32(20, true),
      new Float64Array(frame, HEADER_BYTES, count * this.cellsPerRow),
    );
  }
}
