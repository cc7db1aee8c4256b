import { describe, expect, it } from 'vitest';
import { providerSettings } from './settings.ts';

const accepts = (url: string) => providerSettings.shape.PROVIDER_CONTENT_URL.safeParse(url).success;

describe('PROVIDER_CONTENT_URL', () => {
  it.each([
    'https://*.content.example.com',
    'https://*.content.example.com:8443/provider/',
    'http://*.localhost:8090',
    'https://content.example.com',
    'http://127.0.0.1:8090',
  ])('PROVIDER_CONTENT_URL can be %s', (url) => {
    expect(accepts(url)).toBe(true);
  });

  it.each([
    'content.example.com',
    'ftp://*.content.example.com',
    'https://content.*.example.com',
    'https://a*.content.example.com',
    'https://*.*.example.com',
    'https://content.example.com/*',
    'http://localhost:8090',
    'http://LOCALHOST',
  ])('PROVIDER_CONTENT_URL cannot be %s', (url) => {
    expect(accepts(url)).toBe(false);
  });
});

describe('PROVIDER_POSTBACK_ORIGINS', () => {
  const read = (text: string) => providerSettings.shape.PROVIDER_POSTBACK_ORIGINS.safeParse(text);

  it('PROVIDER_POSTBACK_ORIGINS is a list of origins, whose default ports may be named', () => {
    expect(read('http://gateway:8080, https://Registrar.example.com:443/').data).toEqual([
      ...['http://gateway:8080', 'https://registrar.example.com'],
    ]);
  });

  it.each([
    'gateway:8080',
    'gateway',
    'ftp://gateway',
    'http://gateway/postbacks',
    'http://ada:secret@gateway',
    'http://*.example.com',
    'http://gateway?a=b',
  ])('PROVIDER_POSTBACK_ORIGINS cannot be %s', (text) => {
    expect(read(text).success).toBe(false);
  });
});
