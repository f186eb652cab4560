/** The block or surface of the scene, at its nominal pose. */

import * as THREE from "three";
import type { SceneInfo } from "../generated";
import { shape } from "./arm";
import { place } from "./stage";

const BLOCK = 0.06;
const BLOCK_FLOOR = 0.02;
const SURFACE: [number, number, number] = [0.6, 0.8, 0.04];
const STEEL = 0x9fb0bf;

export function fixture(scene: SceneInfo): THREE.Object3D | null {
  if (!scene.X_WH) return null;
  const made = scene.hole_depth > 0 ? block(scene) : slab();
  place(made, scene.X_WH);
  if (scene.hole_depth > 0) made.add(post(scene.X_WH[2]! - scene.hole_depth - BLOCK_FLOOR));
  return made;
}

/** A block with a hole; z = 0 is its upper face. */
function block(scene: SceneInfo): THREE.Group {
  const outline = new THREE.Shape();
  outline.moveTo(-BLOCK, -BLOCK).lineTo(BLOCK, -BLOCK).lineTo(BLOCK, BLOCK).lineTo(-BLOCK, BLOCK);
  outline.closePath();
  outline.holes.push(new THREE.Path().absarc(0, 0, scene.peg_radius * 1.04, 0, 2 * Math.PI, true));
  const bored = new THREE.ExtrudeGeometry(outline, {
    depth: scene.hole_depth,
    bevelEnabled: false,
    curveSegments: 40,
  });
  const group = new THREE.Group();
  const walls = shape(bored, STEEL);
  walls.position.z = -scene.hole_depth;
  const floor = shape(new THREE.BoxGeometry(2 * BLOCK, 2 * BLOCK, BLOCK_FLOOR), STEEL);
  floor.position.z = -scene.hole_depth - BLOCK_FLOOR / 2;
  group.add(walls, floor);
  return group;
}

function slab(): THREE.Group {
  const group = new THREE.Group();
  const top = shape(new THREE.BoxGeometry(...SURFACE), STEEL);
  top.position.z = -SURFACE[2] / 2;
  group.add(top);
  return group;
}

/** A post under the block. */
function post(height: number): THREE.Object3D {
  const group = new THREE.Group();
  if (height < 0.01) return group;
  const column = shape(new THREE.CylinderGeometry(0.035, 0.05, height, 40), 0x5c6874);
  column.rotation.x = Math.PI / 2;
  column.position.z = -(0.5 * height) - (BLOCK_FLOOR + 0.025);
  group.add(column);
  return group;
}
