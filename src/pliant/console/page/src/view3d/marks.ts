/** The marks around the arm: tool frame, reference, wrench, trail. */

import * as THREE from "three";
import type { SceneInfo } from "../generated";
import { series } from "../core/live";
import { rotate, type Quat } from "../core/spatial";
import { colour } from "../core/theme";
import { tip } from "./arm";
import { place } from "./stage";

const FRAME = 0.09;
/** Length of the arrow for 1 N, m. */
const PER_NEWTON = 0.012;
const LEAST_FORCE = 0.2;
const HEAD = 0.024;
const TRAIL_POINTS = 400;
/** Samples between two points of the trail. */
const TRAIL_EVERY = 12;

export class Marks {
  readonly group = new THREE.Group();
  private readonly tool = frame(FRAME, 1);
  private readonly ghost = new THREE.Group();
  private readonly ghostMaterial = new THREE.MeshBasicMaterial({
    transparent: true,
    opacity: 0.35,
    depthWrite: false,
  });
  private readonly sensed = new Arrow(1, 1);
  // wider and faint, so that both arrows are visible where they agree
  private readonly desired = new Arrow(2.2, 0.5);
  private readonly trail: THREE.Line;
  private readonly points = new Float32Array(3 * TRAIL_POINTS);

  constructor(scene: SceneInfo | null) {
    const body = tip(scene);
    body.traverse((part) => {
      if (!(part instanceof THREE.Mesh)) return;
      part.castShadow = false;
      part.material = this.ghostMaterial;
    });
    this.ghost.add(body, frame(FRAME * 0.6, 0.55));
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(this.points, 3));
    this.trail = new THREE.Line(
      geometry,
      new THREE.LineBasicMaterial({ transparent: true, opacity: 0.7 }),
    );
    this.trail.frustumCulled = false;
    this.group.add(this.tool, this.ghost, this.desired, this.sensed, this.trail);
    this.group.visible = false;
    this.paint();
  }

  paint(): void {
    this.sensed.paint(colour("sensed"));
    this.desired.paint(colour("desired"));
    (this.trail.material as THREE.LineBasicMaterial).color.set(colour("accent"));
    this.ghostMaterial.color.set(colour("position-world"));
  }

  update(
    X_WT: Float64Array,
    X_WR: Float64Array,
    w_T: Float64Array,
    w_desired_T: Float64Array,
  ): void {
    this.group.visible = true;
    place(this.tool, X_WT);
    this.ghost.visible = X_WR.length === 7 && apart(X_WT, X_WR);
    if (this.ghost.visible) place(this.ghost, X_WR);
    const turn: Quat = [X_WT[3]!, X_WT[4]!, X_WT[5]!, X_WT[6]!];
    this.point(this.sensed, X_WT, turn, w_T);
    this.point(this.desired, X_WT, turn, w_desired_T);
    this.draw();
  }

  private point(arrow: Arrow, X_WT: Float64Array, turn: Quat, w_T: Float64Array): void {
    const force = Math.hypot(w_T[0] ?? 0, w_T[1] ?? 0, w_T[2] ?? 0);
    arrow.visible = force > LEAST_FORCE;
    if (!arrow.visible) return;
    const along = new THREE.Vector3(...rotate(turn, w_T)).divideScalar(force);
    arrow.position.set(X_WT[0]!, X_WT[1]!, X_WT[2]!);
    arrow.point(along, HEAD + force * PER_NEWTON);
  }

  /** Draw the trail of the TCP, from samples at fixed places in the ring buffer, so that its points
   * stay where they are. */
  private draw(): void {
    const newest = Math.floor((series.taken - 1) / TRAIL_EVERY) * TRAIL_EVERY;
    let count = 0;
    for (
      let sample = newest;
      sample >= series.first && count < TRAIL_POINTS;
      sample -= TRAIL_EVERY
    ) {
      for (let i = 0; i < 3; i++) this.points[3 * count + i] = series.at("X_WT", i, sample);
      count++;
    }
    this.trail.geometry.setDrawRange(0, count);
    this.trail.geometry.attributes.position!.needsUpdate = true;
  }
}

/** Whether two poses differ enough for both to be drawn. */
function apart(a: Float64Array, b: Float64Array): boolean {
  const distance = Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);
  const same = Math.abs(a[3]! * b[3]! + a[4]! * b[4]! + a[5]! * b[5]! + a[6]! * b[6]!);
  return distance > 0.001 || same < 0.99999;
}

/** Three axes in the usual colours. */
function frame(length: number, opacity: number): THREE.Group {
  const group = new THREE.Group();
  const axes: [string, [number, number, number]][] = [
    ["x", [0, 0, -Math.PI / 2]],
    ["y", [0, 0, 0]],
    ["z", [Math.PI / 2, 0, 0]],
  ];
  for (const [name, turn] of axes) {
    const material = new THREE.MeshBasicMaterial({
      color: colour(name),
      transparent: true,
      opacity,
    });
    const bar = new THREE.Mesh(new THREE.CylinderGeometry(0.0022, 0.0022, length, 12), material);
    bar.geometry.translate(0, length / 2, 0);
    bar.rotation.set(...turn);
    group.add(bar);
  }
  return group;
}

/** An arrow for a force, made of solids, as WebGL draws lines one pixel wide. */
class Arrow extends THREE.Group {
  private readonly material = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true });
  private readonly shaft = new THREE.Mesh(
    new THREE.CylinderGeometry(0.0032, 0.0032, 1, 16),
    this.material,
  );
  private readonly head = new THREE.Mesh(new THREE.ConeGeometry(0.0095, HEAD, 24), this.material);

  constructor(width: number, opacity: number) {
    super();
    this.material.opacity = opacity;
    this.shaft.scale.set(width, 1, width);
    this.head.scale.set(0.6 + 0.4 * width, 1, 0.6 + 0.4 * width);
    this.shaft.geometry.translate(0, 0.5, 0);
    this.head.geometry.translate(0, HEAD / 2, 0);
    this.shaft.renderOrder = this.head.renderOrder = 10;
    this.add(this.shaft, this.head);
  }

  paint(tone: string): void {
    this.material.color.set(tone);
  }

  point(along: THREE.Vector3, length: number): void {
    this.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along);
    this.shaft.scale.y = Math.max(1e-4, length - HEAD);
    this.head.position.y = Math.max(0, length - HEAD);
  }
}
