// Made by `python -m pliant.console.server.typescript` from server/messages.py.

/** Layout of a binary frame's head, as Python's struct spells it. */
export const FRAME_HEADER = "<IIQII";

/** The arm of the controller that runs, or was last chosen. */
export interface ArmInfo {
  spec: string;
  name: string;
  n: number;
  dt: number;
  joints: string[];
  q_min: number[];
  q_max: number[];
  qd_max: number[];
  tau_max: number[];
  home: number[];
  interface: "position" | "torque";
  temperature_max: number;
  /** Where the URDF is served. */
  urdf: string;
  /** The link of the URDF that is the flange F. */
  flange: string;
  /** Pose of the TCP in F: x y z qw qx qy qz. */
  X_FT: number[];
}

/** Attach to a controller that runs. */
export interface AttachRequest {
  type: "attach";
  id?: number;
  name: string;
}

/** What one axis of the tool can touch by force, as `pliant.stability` has it. */
export interface AxisMargin {
  axis: string;
  /** Contact is stable up to this stiffness, N/m or N·m/rad; null is any. */
  stable: number | null;
  /** It settles without ringing up to this one. */
  well_damped: number | null;
  /** What becomes of contact with the expected surface; null without one. */
  expected: "unstable" | "rings" | "well damped" | null;
  /** With this damping that is well damped; null if it is so, or with none. */
  damping_needed: number | null;
  /** The inertia to go with it; null is M/D as it is. */
  inertia_needed: number | null;
}

/** What works with what runs now; the rest is to be shown as not available. */
export interface Capabilities {
  /** The commands that can be given. */
  words: string[];
  /** The columns that carry something. */
  columns: string[];
  /** The arm is simulated, so that it can be pulled. */
  push: boolean;
  record: boolean;
  /** Recordings can be drawn. */
  plot: boolean;
  /** A script has the arm in hand; nobody can command it. */
  watch_only: boolean;
}

/** A column that can be subscribed. */
export interface ColumnInfo {
  name: string;
  stage: string;
  type: "number" | "text";
  shape: number[];
  unit: string;
  doc: string;
}

/** A field of a command. */
export interface CommandField {
  name: string;
  tokens: string[];
  unit: string;
  doc: string;
  required: boolean;
  /** The values it may have; empty if not a choice. */
  choices: string[];
}

/** A command of the line protocol. */
export interface CommandInfo {
  word: string;
  usage: string;
  doc: string;
  anyone: boolean;
  fields: CommandField[];
}

/** The parameters in force have changed. */
export interface ConfigChanged {
  type: "config";
  config: Record<string, unknown>;
}

/** Something that was not asked for, to be shown to the operator. */
export interface Event {
  type: "event";
  kind: "info" | "warning" | "error" | "command" | "reply" | "lease";
  text: string;
  tick: number | null;
  /** The viewer whom it concerns, if one. */
  about: string;
}

/** First message, and again whenever the controller has changed. */
export interface Hello {
  type: "hello";
  /** This viewer's name. */
  you: string;
  version: string;
  /** Longest time between pings of whoever commands, s. */
  heartbeat: number;
  /** Idle control can be taken after this long, s. */
  lease_timeout: number;
  /** Arms that can be started. */
  robots: string[];
  /** Other programs that can be started. */
  binaries: string[];
  /** What `start` should offer. */
  defaults: StartRequest;
  /** Names of the values of the column `state`. */
  states: Record<string, string>;
  /** Words for the values of `verdict`. */
  verdicts: Record<string, string>;
  /** Names of the values of the column `mode`. */
  modes: Record<string, string>;
  columns: ColumnInfo[];
  commands: CommandInfo[];
  /** Laws by their index in the column `law`. */
  laws: string[];
  /** What is known of them, by name. */
  law_docs: Record<string, LawDoc>;
  /** Gains by the name of the preset. */
  presets: Record<string, Record<string, unknown>>;
  /** Parameters in force; infinity is 'inf'. */
  config: Record<string, unknown>;
  config_schema: Record<string, unknown>;
  /** Sections of the config that can be SET while it runs. */
  live: string[];
  arm: ArmInfo;
  scene: SceneInfo | null;
  capabilities: Capabilities;
}

/** What a law does. */
export interface LawDoc {
  equation: string;
  behaviour: string;
}

/** Take control, let go of it, ask its holder for it, or hand it over; see `reply` with id. */
export interface LeaseRequest {
  type: "lease";
  id?: number;
  action: "take" | "release" | "ask" | "give";
  /** Viewer to hand over to. */
  to?: string | null;
}

/** How stable contact is with the gains in force, where the arm is; x y z rx ry rz. */
export interface Margins {
  type: "margins";
  /** Stiffness of the surface expected, N/m. */
  surface: number | null;
  axes: AxisMargin[];
}

/** How others are to call this viewer. */
export interface NameRequest {
  type: "name";
  name: string;
}

/** Say that the operator is still there: at least every `hello.heartbeat` s while in control. Send it from the handler of the server's messages, as the timers of a hidden page are slowed. */
export interface Ping {
  type: "ping";
  /** The page's own time; comes back in `pong`. */
  t?: number;
}

/** The answer to a ping. */
export interface Pong {
  type: "pong";
  t: number;
}

/** Pull on the tool of a simulated arm, until the push goes stale or the next one comes. */
export interface PushRequest {
  type: "push";
  /** Wrench on the tool at the TCP, axes of W, N and N·m. */
  wrench_W: [number, number, number, number, number, number];
  /** When it goes stale. */
  seconds?: number;
}

/** Begin or end a recording. */
export interface RecordRequest {
  type: "record";
  id?: number;
  action: "start" | "stop";
  /** File in the recordings folder. */
  name?: string | null;
  format?: "mcap" | "csv";
}

/** A recording that is being made. */
export interface Recording {
  name: string;
  bytes: number;
  seconds: number;
}

/** The answer to a request that had an id. */
export interface Reply {
  type: "reply";
  id: number;
  ok: boolean;
  text: string;
}

/** What may be known of the scene: its nominal geometry. */
export interface SceneInfo {
  name: string;
  /** Pose of surface or hole: x y z qw qx qy qz. */
  X_WH: number[] | null;
  hole_depth: number;
  peg_radius: number;
}

/** What the binary frames with this id hold; comes before the first of them. */
export interface Schema {
  type: "schema";
  id: number;
  /** Bytes of a row. */
  stride: number;
  every: number;
  columns: SchemaColumn[];
  /** Names that were asked for and do not exist. */
  unknown: string[];
}

/** Where a subscribed column is in a row. */
export interface SchemaColumn {
  name: string;
  type: "number" | "text";
  shape: number[];
  unit: string;
  doc: string;
  /** Bytes from the beginning of the row. */
  offset: number;
  /** Cells: numbers, or for text bytes / 8. */
  size: number;
}

/** One line of the controller's protocol, under this viewer's name; answered by `reply`. */
export interface SendLine {
  type: "line";
  /** Comes back in the reply. */
  id: number;
  text: string;
}

/** Start a controller, or another program that speaks its protocol. */
export interface StartRequest {
  type: "start";
  id?: number;
  /** Which arm: sim:ur5e, sim:ur5e/peg, … */
  robot?: string;
  /** Address of a real arm, if it has one. */
  address?: string;
  /** Control rate, Hz. */
  rate?: number | null;
  /** How long to run, s; 0 is until STOP. */
  duration?: number;
  /** One of hello.binaries instead of Pliant's controller. */
  binary?: string;
  /** Whether that program's wrench acts on the tool, or the tool's. */
  wrench_sign?: "on_tool" | "by_tool";
}

/** How things are, ten times a second. */
export interface Status {
  type: "status";
  /** idle: nothing was started. ended: it stopped. lost: it died. */
  phase: "idle" | "starting" | "running" | "ended" | "lost";
  /** What happened, or why the arm is not ready; empty if it is. */
  why: string;
  /** The reason of a fault; empty without one. */
  fault: string;
  /** Name of the controller; empty without one. */
  controller: string;
  kind: "none" | "pliant" | "binary";
  /** INACTIVE, ACTIVE, STOPPING, FAULT; of another program RUNNING. */
  state: string;
  law: string;
  /** The verdict on the sensor in words. */
  verdict: string;
  /** The wrench can be trusted and no fault holds the arm. */
  ready: boolean;
  /** The arm's time, s. */
  time: number;
  /** The newest tick's number. */
  k: number;
  /** Ticks a second, measured. */
  rate: number;
  /** Of the last second's ticks, s. */
  lateness_p50: number;
  lateness_p99: number;
  lateness_max: number;
  /** Ticks lost on the way from the controller to the server. */
  dropped: number;
  /** Who is in control: a viewer, another program, or nobody: ''. */
  holder: string;
  /** For how long whoever is in control did nothing, s. */
  holder_idle: number;
  viewers: string[];
  /** Controllers that run and can be attached to. */
  controllers: string[];
  recording: Recording | null;
}

/** Stop the arm; anyone may. */
export interface StopRequest {
  type: "stop";
}

/** Which columns to send from now on; replaces what was subscribed before. */
export interface Subscribe {
  type: "subscribe";
  /** Names of columns. */
  columns: string[];
  /** Only each so-manieth tick. */
  every?: number;
}

export type FromPage = Subscribe | SendLine | LeaseRequest | StartRequest | AttachRequest | StopRequest | PushRequest | RecordRequest | NameRequest | Ping;

export type FromServer = Hello | Schema | Status | Reply | Event | ConfigChanged | Margins | Pong;
