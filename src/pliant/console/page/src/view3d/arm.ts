/** The arm, from its URDF, with the tool on its flange. */

import * as THREE from "three";
import URDFLoader, { type URDFRobot } from "urdf-loader";
import type { ArmInfo, SceneInfo } from "../generated";
import { place } from "./stage";

const TOOL_RADIUS = 0.022;
const PEG_BEYOND = 0.01;
const TIP_RADIUS = 0.005;

export class Arm {
  private constructor(
    readonly root: URDFRobot,
    private readonly joints: readonly string[],
  ) {}

  static async load(info: ArmInfo, scene: SceneInfo | null): Promise<Arm> {
    const answer = await fetch(new URL(info.urdf, document.baseURI));
    if (!answer.ok) throw new Error(`the URDF cannot be loaded: ${answer.status}`);
    const root = new URDFLoader().parse(await answer.text());
    root.traverse((part) => {
      if (part instanceof THREE.Mesh) finish(part);
    });
    const flange = root.links[info.flange];
    if (flange) flange.add(toolBody(info, scene));
    return new Arm(root, info.joints);
  }

  pose(q: ArrayLike<number>): void {
    this.joints.forEach((name, i) => this.root.setJointValue(name, q[i]!));
  }
}

/** The tool: a stem from the flange, and a peg or a ball at the TCP. */
function toolBody(info: ArmInfo, scene: SceneInfo | null): THREE.Object3D {
  const tool = new THREE.Group();
  place(tool, info.X_FT);
  tool.add(tip(scene));
  const reach = Math.hypot(info.X_FT[0]!, info.X_FT[1]!, info.X_FT[2]!);
  const length = Math.max(0.01, reach - tipLength(scene));
  const stem = shape(new THREE.CylinderGeometry(TOOL_RADIUS, TOOL_RADIUS, length, 32), 0x75818d);
  stem.rotation.x = Math.PI / 2;
  stem.position.z = -tipLength(scene) - length / 2;
  tool.add(stem);
  return tool;
}

/** The tip of the tool, with its foremost point at the origin: a peg if the scene has a hole, or a
 * ball. */
export function tip(scene: SceneInfo | null): THREE.Object3D {
  if (scene && scene.peg_radius > 0) {
    const length = tipLength(scene);
    const peg = shape(
      new THREE.CylinderGeometry(scene.peg_radius, scene.peg_radius, length, 40),
      0xd9a441,
    );
    peg.rotation.x = Math.PI / 2;
    peg.position.z = -length / 2;
    return peg;
  }
  const ball = shape(new THREE.SphereGeometry(TIP_RADIUS, 24, 16), 0xd9a441);
  ball.position.z = -TIP_RADIUS;
  return ball;
}

function tipLength(scene: SceneInfo | null): number {
  return scene && scene.peg_radius > 0 ? scene.hole_depth + PEG_BEYOND : TIP_RADIUS;
}

export function shape(geometry: THREE.BufferGeometry, tone: number): THREE.Mesh {
  const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: tone }));
  finish(mesh);
  return mesh;
}

function finish(mesh: THREE.Mesh): void {
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  const material = mesh.material as THREE.MeshStandardMaterial;
  const coloured = material.color ?? new THREE.Color(0x8a94a0);
  mesh.material = new THREE.MeshStandardMaterial({
    color: coloured,
    roughness: 0.55,
    metalness: 0.1,
  });
}
