/** Camera, light and floor of the 3D view. */

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { colour } from "../core/theme";

const TARGET = new THREE.Vector3(0.22, 0.02, 0.385);
const FROM = new THREE.Vector3(1.58, -1.48, 1.05);

export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(32, 1, 0.02, 20);
  readonly controls: OrbitControls;
  readonly renderer: THREE.WebGLRenderer;
  /** Whether something has changed since the last picture. */
  dirty = true;
  private grid: THREE.GridHelper | null = null;

  constructor(readonly host: HTMLElement) {
    this.renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    host.append(this.renderer.domElement);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.minDistance = 0.15;
    this.controls.maxDistance = 5;
    this.controls.addEventListener("change", () => (this.dirty = true));
    this.home();
    this.light();
    this.paint();
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
  }

  /** Look at the whole arm. */
  home(): void {
    this.look(FROM, TARGET);
  }

  look(from: THREE.Vector3, at: THREE.Vector3): void {
    this.camera.position.copy(from);
    this.controls.target.copy(at);
    this.controls.update();
    this.dirty = true;
  }

  /** Apply the colours of the theme. */
  paint(): void {
    this.scene.background = new THREE.Color(colour("sky"));
    if (this.grid) this.scene.remove(this.grid);
    const line = new THREE.Color(colour("line"));
    this.grid = new THREE.GridHelper(3, 30, line, line);
    this.grid.rotation.x = Math.PI / 2;
    this.scene.add(this.grid);
    this.dirty = true;
  }

  render(): void {
    if (!this.dirty) return;
    this.dirty = false;
    this.renderer.render(this.scene, this.camera);
  }

  close(): void {
    this.controls.dispose();
    this.renderer.dispose();
    this.renderer.domElement.remove();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.dirty = true;
  }

  private light(): void {
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x9aa4b0, 1.6));
    const sun = new THREE.DirectionalLight(0xffffff, 2.0);
    sun.position.set(0.9, -0.8, 2.0);
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    Object.assign(sun.shadow.camera, { left: -1, right: 1, top: 1, bottom: -1, near: 0.5, far: 4 });
    sun.shadow.bias = -0.0005;
    this.scene.add(sun);
    const floor = new THREE.Mesh(
      new THREE.PlaneGeometry(3, 3),
      new THREE.ShadowMaterial({ opacity: 0.14 }),
    );
    floor.position.z = -0.001;
    floor.receiveShadow = true;
    this.scene.add(floor);
  }
}

/** Put an object at a pose x y z qw qx qy qz. */
export function place(object: THREE.Object3D, pose: ArrayLike<number>): void {
  object.position.set(pose[0]!, pose[1]!, pose[2]!);
  object.quaternion.set(pose[4]!, pose[5]!, pose[6]!, pose[3]!);
}
