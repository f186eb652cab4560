/** The whole 3D view. It is loaded when first shown, as it is the largest part of the page. */

import type { ArmInfo, SceneInfo } from "../generated";
import { latest } from "../core/live";
import { Arm } from "./arm";
import { fixture } from "./fixture";
import { Marks } from "./marks";
import { Pull } from "./pull";
import { Stage } from "./stage";
import * as THREE from "three";

/** Shortest and longest time between two pictures, ms. It grows where drawing is slow, so that the
 * plots get most of the time. */
const PERIOD = 30;
const LONGEST = 250;
const SHARE = 4;

export class World {
  private readonly stage: Stage;
  private readonly marks: Marks;
  private readonly pull: Pull;
  private arm: Arm | null = null;
  private request = 0;
  private drawn = 0;
  private called = performance.now();
  private interval = 0;
  private k = -1;

  constructor(
    host: HTMLElement,
    info: ArmInfo,
    scene: SceneInfo | null,
    pullable: () => boolean,
    private readonly onForce: (force: number) => void,
  ) {
    this.stage = new Stage(host);
    this.marks = new Marks(scene);
    this.pull = new Pull(this.stage, pullable);
    this.stage.scene.add(this.marks.group, this.pull.line);
    const touched = scene && fixture(scene);
    if (touched) this.stage.scene.add(touched);
    void this.load(info, scene);
    this.frame();
  }

  paint(): void {
    this.stage.paint();
    this.marks.paint();
  }

  home(): void {
    this.stage.home();
  }

  /** Look at the tool from close by. */
  closeUp(): void {
    const [x, y, z] = latest("X_WT");
    if (x === undefined) return;
    const at = new THREE.Vector3(x, y, z);
    this.stage.look(at.clone().add(new THREE.Vector3(0.24, -0.3, 0.16)), at);
  }

  end(): void {
    cancelAnimationFrame(this.request);
    this.stage.close();
  }

  private async load(info: ArmInfo, scene: SceneInfo | null): Promise<void> {
    this.arm = await Arm.load(info, scene);
    this.arm.pose(info.home);
    this.stage.scene.add(this.arm.root);
    this.stage.dirty = true;
    this.k = -1;
  }

  private frame = (): void => {
    this.request = requestAnimationFrame(this.frame);
    const now = performance.now();
    this.interval = 0.8 * this.interval + 0.2 * (now - this.called);
    this.called = now;
    if (now - this.drawn < this.period()) return;
    this.drawn = now;
    this.follow();
    this.pull.update();
    this.onForce(this.pull.force);
    this.stage.render();
  };

  /** Time to the next picture, ms: longer if the screen is redrawn late, mostly due to this view. */
  private period(): number {
    return Math.min(LONGEST, this.interval > 25 ? SHARE * this.interval : PERIOD);
  }

  private follow(): void {
    const k = latest("k")[0] ?? -1;
    if (k === this.k || k < 0) return;
    this.k = k;
    this.arm?.pose(latest("q"));
    this.marks.update(latest("X_WT"), latest("X_WR"), latest("w_T"), latest("w_desired_T"));
    this.stage.dirty = true;
  }
}
