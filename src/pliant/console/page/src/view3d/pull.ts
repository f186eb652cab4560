/** Pulling the tool with the mouse: a spring between the TCP and the pointer. */

import * as THREE from "three";
import { latest } from "../core/live";
import { send } from "../core/link";
import { colour } from "../core/theme";
import type { Stage } from "./stage";

/** Stiffness of the spring, N/m, and its largest force, N. */
const STIFFNESS = 200;
const MOST = 25;
/** Largest distance of the pointer from the tool to grab it, pixels. */
const NEAR = 26;
const REACH = 0.16;
/** Period of the pushes, ms, and the time after which each goes stale, s. */
const PERIOD = 40;
const STALE = 0.2;

export class Pull {
  readonly line: THREE.Line;
  /** The force, N; 0 while the operator does not pull. */
  force = 0;
  private pointer: THREE.Vector2 | null = null;
  private sent = 0;

  constructor(
    private readonly stage: Stage,
    private readonly allowed: () => boolean,
  ) {
    const geometry = new THREE.BufferGeometry().setFromPoints([
      new THREE.Vector3(),
      new THREE.Vector3(),
    ]);
    this.line = new THREE.Line(
      geometry,
      new THREE.LineDashedMaterial({ dashSize: 0.012, gapSize: 0.008 }),
    );
    this.line.frustumCulled = false;
    this.line.visible = false;
    const canvas = stage.renderer.domElement;
    canvas.addEventListener("pointerdown", (event) => this.grab(event), true);
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
      canvas.addEventListener(end, () => this.release());
    }
  }

  /** Draw the spring and send its force; called with every frame. */
  update(): void {
    const X_WT = latest("X_WT");
    if (!this.pointer || X_WT.length < 7) return;
    const tcp = new THREE.Vector3(X_WT[0], X_WT[1], X_WT[2]);
    const hand = this.handAt(tcp);
    const pull = hand.clone().sub(tcp).multiplyScalar(STIFFNESS).clampLength(0, MOST);
    this.force = pull.length();
    this.show(tcp, hand);
    const now = performance.now();
    if (now - this.sent < PERIOD) return;
    this.sent = now;
    send({ type: "push", wrench_W: [pull.x, pull.y, pull.z, 0, 0, 0], seconds: STALE });
  }

  private grab(event: PointerEvent): void {
    if (event.button !== 0 || !this.allowed() || !this.near(event)) return;
    this.pointer = this.ndc(event);
    this.stage.controls.enabled = false;
    this.stage.renderer.domElement.setPointerCapture(event.pointerId);
  }

  private move(event: PointerEvent): void {
    if (this.pointer) this.pointer = this.ndc(event);
    const grabbing = this.pointer ? "grabbing" : this.allowed() && this.near(event) ? "grab" : "";
    this.stage.renderer.domElement.style.cursor = grabbing;
  }

  private release(): void {
    if (!this.pointer) return;
    this.pointer = null;
    this.force = 0;
    this.line.visible = false;
    this.stage.controls.enabled = true;
    this.stage.dirty = true;
    send({ type: "push", wrench_W: [0, 0, 0, 0, 0, 0], seconds: STALE });
  }

  /** The point under the pointer, on the plane through the TCP that faces the camera. */
  private handAt(tcp: THREE.Vector3): THREE.Vector3 {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(this.pointer!, this.stage.camera);
    const facing = this.stage.camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(facing, tcp);
    return ray.ray.intersectPlane(plane, new THREE.Vector3()) ?? tcp.clone();
  }

  private show(tcp: THREE.Vector3, hand: THREE.Vector3): void {
    this.line.geometry.setFromPoints([tcp, hand]);
    this.line.computeLineDistances();
    (this.line.material as THREE.LineDashedMaterial).color.set(colour("text"));
    this.line.visible = true;
    this.stage.dirty = true;
  }

  /** Whether the pointer is on the tool, between flange and TCP. */
  private near(event: PointerEvent): boolean {
    const X_WT = latest("X_WT");
    if (X_WT.length < 7) return false;
    const tcp = new THREE.Vector3(X_WT[0], X_WT[1], X_WT[2]);
    const turn = new THREE.Quaternion(X_WT[4], X_WT[5], X_WT[6], X_WT[3]);
    const flange = new THREE.Vector3(0, 0, -REACH).applyQuaternion(turn).add(tcp);
    const [a, b] = [this.pixels(tcp), this.pixels(flange)];
    const p = new THREE.Vector2(event.offsetX, event.offsetY);
    const along = b.clone().sub(a);
    const share = Math.max(
      0,
      Math.min(1, p.clone().sub(a).dot(along) / Math.max(1, along.lengthSq())),
    );
    return p.distanceTo(a.addScaledVector(along, share)) < NEAR;
  }

  private pixels(point: THREE.Vector3): THREE.Vector2 {
    const { clientWidth: width, clientHeight: height } = this.stage.host;
    const projected = point.clone().project(this.stage.camera);
    return new THREE.Vector2((0.5 + 0.5 * projected.x) * width, (0.5 - 0.5 * projected.y) * height);
  }

  private ndc(event: PointerEvent): THREE.Vector2 {
    const { clientWidth: width, clientHeight: height } = this.stage.host;
    return new THREE.Vector2((2 * event.offsetX) / width - 1, 1 - (2 * event.offsetY) / height);
  }
}
