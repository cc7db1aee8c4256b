import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';

const service = z.looseObject({
  image: z.string(),
  network_mode: z.string().optional(),
  networks: z.array(z.string()).optional(),
  ports: z.array(z.string()).optional(),
  logging: z
    .object({
      driver: z.string(),
      options: z.object({ 'max-size': z.string(), 'max-file': z.string() }),
    })
    .optional(),
});
const file = z.looseObject({
  services: z.record(z.string(), service.partial()),
  networks: z.record(z.string(), z.object({ internal: z.boolean() }).nullable()).optional(),
});
const read = (name: string) =>
  file.parse(parse(readFileSync(name, 'utf8'), { merge: true }) as unknown);

const compose = read('docker-compose.yml');
const services = Object.entries(compose.services);
const namesOf = (condition: (each: (typeof services)[number][1]) => boolean | undefined) =>
  services.filter(([, each]) => condition(each)).map(([name]) => name);

describe('docker-compose.yml', () => {
  it('publishes the gateway, the provider and the console alone, on the loopback interface by default', () => {
    expect(namesOf(({ ports }) => ports !== undefined)).toEqual(['provider', 'gateway', 'console']);
    const ports = services.flatMap(([, each]) => each.ports ?? []);
    expect(ports.filter((port) => !port.startsWith('${BIND_ADDRESS:-127.0.0.1}:'))).toEqual([]);
  });

  it('keeps the stores in internal networks, and all but three apps out of the clients’ network', () => {
    const networks = compose.networks ?? {};
    const internal = Object.keys(networks).filter((name) => networks[name]?.internal);
    expect(internal).toEqual(['broker', 'database']);
    expect(compose.services['rabbitmq']?.networks).toEqual(['broker']);
    expect(compose.services['postgres']?.networks).toEqual(['database']);
    expect(namesOf((each) => each.networks?.includes('edge'))).toEqual([
      'provider',
      'gateway',
      'console',
    ]);
    expect(compose.services['gateway']?.networks).not.toContain('database');
    expect(namesOf((each) => !each.networks && each.network_mode !== 'none')).toEqual([]);
  });

  it.each(['docker-compose.yml', 'docker-compose.tls.yml'])('limits every log in %s', (name) => {
    const unlimited = Object.entries(read(name).services).filter(
      ([, { image, logging }]) => image !== undefined && !logging?.options['max-size'],
    );
    expect(unlimited).toEqual([]);
  });
});

describe('docker-compose.pinned.yml', () => {
  it('names the image of every app by a digest that must be set', () => {
    const pinned = read('docker-compose.pinned.yml').services;
    const apps = Object.entries(compose.services).filter(([, { image }]) => image === 'registrar');
    expect(Object.keys(pinned).toSorted()).toEqual(apps.map(([name]) => name).toSorted());
    for (const { image } of Object.values(pinned)) {
      expect(image).toMatch(/@\$\{REGISTRAR_DIGEST:\?sha256:…\}$/);
    }
  });
});

describe('the images of others', () => {
  it.each(['docker-compose.yml', 'docker-compose.tls.yml'])(
    'the images of others have digests in %s',
    (file) => {
      const images = Object.values(read(file).services).flatMap(({ image }) => image ?? []);
      const ofOthers = images.filter((image) => image !== 'registrar');
      expect(ofOthers.length).toBeGreaterThan(0);
      for (const image of ofOthers) expect(image).toMatch(/:-[^:]+:[^@]+@sha256:[0-9a-f]{64}\}$/);
    },
  );

  it('the images of others have a digest in Dockerfile', () => {
    const dockerfile = readFileSync('Dockerfile', 'utf8');
    expect(dockerfile).toMatch(/^ARG NODE_IMAGE=node:24[^@]*@sha256:[0-9a-f]{64}$/m);
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(new Set(bases)).toEqual(new Set(['${NODE_IMAGE}']));
  });
});
