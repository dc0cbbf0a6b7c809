"""What a file is, by its bytes: each kind known, and what only looks like one refused."""

import io
import struct
import time
import zlib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.lib.filetypes import AUDIO, IMAGE, KINDS, VIDEO, FileType, UnsupportedFile, detect
from tests import media_files
from tests.media_files import EVERY

MAX_BYTES = {IMAGE: 5_000_000, AUDIO: 20_000_000, VIDEO: 100_000_000}
PAGE = b"<!DOCTYPE html><html><script>alert(1)</script></html>"


def told(data: bytes) -> FileType:
    return detect(io.BytesIO(data), MAX_BYTES)


def refused(data: bytes) -> str:
    with pytest.raises(UnsupportedFile) as caught:
        told(data)
    return caught.value.code


@pytest.mark.parametrize("extension", KINDS)
def test_each_kind_is_known_by_its_bytes(extension):
    detected = told(EVERY[extension])
    assert (detected.extension, detected.media_type) == (extension, KINDS[extension].media_type)


def test_there_is_a_sample_of_every_kind_and_no_other():
    assert EVERY.keys() == KINDS.keys()


@pytest.mark.parametrize("extension", ["png", "jpg", "gif", "webp"])
def test_a_picture_says_how_large_it_is(extension):
    detected = told(EVERY[extension])
    assert (detected.width, detected.height) == (2, 1)


def test_other_ways_to_write_a_webp_are_read_as_well():
    assert told(media_files.webp_lossy(640, 480)).width == 640
    # The two highest bits say how to scale.
    assert told(media_files.webp_lossy(640 | 0x4000, 480 | 0x8000)).height == 480
    moving = told(media_files.webp_moving(300, 200, 100, 50))
    assert (moving.width, moving.height) == (300, 200)


def test_nothing_at_all_is_refused():
    assert refused(b"") == "empty"


@pytest.mark.parametrize(
    "data",
    [b"hello", b"%PDF-1.7", b"PK\3\4" + b"\0" * 30, b"MZ" + b"\0" * 60, b"\0" * 100, PAGE],
    ids=["words", "pdf", "zip", "program", "zeros", "page"],
)
def test_what_is_no_picture_sound_or_film_is_refused(data):
    assert refused(data) == "unknown_type"


@pytest.mark.parametrize("extension", sorted(KINDS.keys() - {"svg", "mp3", "ogg"}))
def test_whatever_is_cut_short_is_refused(extension):
    complete = EVERY[extension]
    for end in range(1, len(complete)):
        assert refused(complete[:end]), end


@pytest.mark.parametrize("extension", sorted(KINDS))
def test_two_files_in_one_are_refused(extension):
    assert refused(EVERY[extension] + b"PK\3\4 another file, a program say") in {
        "trailing_bytes",
        "drawing_unreadable",
        "truncated",
        "unreadable",
    }


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (media_files.png(2, 1, media_files.chunk(b"tEXt", PAGE)), "holds_a_page"),
        (media_files.jpeg(comment=PAGE), "holds_a_page"),
        (media_files.mp3(tag=PAGE), "holds_a_page"),
        (b"GIF89a=1;/*" + b"\0" * 20 + b"*/alert(1)", "too_many_pixels"),
        (b"\x89PNG\r\n\x1a\n" + PAGE, "holds_a_page"),
        (b"\xff\xd8\xff" + b"(){}" * 9, "truncated"),
    ],
    ids=["png", "jpeg", "mp3", "gif and script", "page after magic", "nonsense after magic"],
)
def test_a_page_or_a_script_inside_is_refused(data, code):
    assert refused(data) == code


@pytest.mark.parametrize(
    "data",
    [
        media_files.png(50_000, 50_000),
        media_files.png(0xFFFFFFFF, 0xFFFFFFFF),
        media_files.jpeg(65_535, 65_535),
        media_files.gif(2, 1, (60_000, 60_000)),
        media_files.gif(60_000, 60_000),
        media_files.webp(16_384, 16_384),
        media_files.webp_lossy(16_383, 16_383),
        media_files.webp_moving(2, 1, 2**24, 2**24),
        media_files.jpeg() + media_files.jpeg(65_535, 65_535),
    ],
)
def test_a_picture_that_would_fill_the_memory_is_refused_by_what_it_says(data):
    assert refused(data) == "too_many_pixels"


@pytest.mark.parametrize(
    "data", [media_files.png(0, 1), media_files.jpeg(1, 0), media_files.gif(0, 0)]
)
def test_a_picture_without_points_is_refused(data):
    assert refused(data) == "unreadable"


def test_a_damaged_png_is_refused():
    damaged = bytearray(media_files.png())
    damaged[20] ^= 1
    assert refused(bytes(damaged)) == "unreadable"
    without = media_files.png().replace(
        media_files.chunk(b"IDAT", zlib.compress(b"\0\x7f\xff")), b""
    )
    assert refused(without) == "unreadable"
    assert refused(b"\x89PNG\r\n\x1a\n" + media_files.chunk(b"IEND", b"")) == "unreadable"


def test_pictures_of_telephones_keep_a_smaller_one_and_padding_behind():
    assert told(media_files.jpeg(4, 3) + media_files.jpeg() + b"\0" * 64).width == 4


def test_a_jpeg_must_say_its_size_before_it_ends():
    assert refused(b"\xff\xd8\xff\xfe\0\2\xff\xd9") in {"unreadable", "truncated"}
    assert refused(b"\xff\xd8\xff\xfe\0\2nonsense") == "unreadable"


def test_a_webp_without_a_picture_and_a_sound_called_webp_are_refused():
    assert refused(media_files.riff(b"WEBP", (b"EXIF", b"notes"))) == "unreadable"
    assert refused(b"JUNK\4\0\0\0WEBP") == "truncated"


def test_a_gif_without_a_picture_is_refused():
    assert refused(b"GIF89a\2\0\1\0\0\0\0!\xfe\1x\0;") == "unreadable"


@pytest.mark.parametrize("codec", [b"\x80theora", b"Speex   ", b"fishead\0"])
def test_an_ogg_with_anything_but_sound_is_refused(codec):
    assert refused(media_files.ogg(codec)) == "unreadable"


def test_an_ogg_may_end_after_any_page_but_not_within_one():
    complete = media_files.ogg()
    second, third = (complete.index(b"OggS", after) for after in (1, complete.index(b"sound")))
    for end in range(1, len(complete)):
        if end in {second, third}:
            assert told(complete[:end]).extension == "ogg"
        else:
            assert refused(complete[:end]), end


def test_a_wav_must_be_in_a_form_that_browsers_play():
    assert told(media_files.wav(3)).extension == "wav"
    assert refused(media_files.wav(2)) == "unreadable"
    assert refused(media_files.riff(b"WAVE", (b"fmt ", b"\1\0"))) == "unreadable"


def test_an_mp3_is_known_without_a_tag_and_with_one_behind():
    assert told(media_files.mp3(tag=None)).extension == "mp3"
    assert told(media_files.mp3(tag=None) + b"TAG" + b"\0" * 125).extension == "mp3"
    assert told(media_files.mp3(tag=None)[:-50]).extension == "mp3"


def test_too_few_frames_are_no_mp3():
    assert refused(media_files.mp3(2)) == "unreadable"
    assert refused(b"ID3\4\0\0\0\0\0\0" + b"no frames") == "unreadable"


@pytest.mark.parametrize("header", ["fffb0000", "fffbf000", "fffb9c00", "fffd9000", "ffeb9000"])
def test_frames_that_no_mp3_has_are_none(header):
    frame = bytes.fromhex(header) + b"\0" * 413
    assert refused(b"ID3\4\0\0\0\0\0\0" + frame * 4) == "unreadable"


def test_slow_sounds_have_shorter_frames():
    # 64 kbit/s at 22.05 kHz, version 2: 208 bytes.
    assert told((b"\xff\xf3\x80\x00" + b"\0" * 204) * 4).extension == "mp3"


def test_an_mp4_of_another_brand_or_without_tracks_is_refused():
    assert refused(media_files.mp4(brand=b"qt  ")) == "unknown_type"
    assert refused(media_files.mp4(brand=b"heic")) == "unknown_type"
    assert refused(media_files.mp4(b"text")) == "unreadable"
    assert refused(media_files.box(b"ftyp", b"isom", b"\0\0\0\1")) == "unreadable"


def test_boxes_of_an_mp4_may_be_long_or_reach_to_the_end():
    long = struct.pack(">I4sQ", 1, b"mdat", 20) + b"data"
    assert told(media_files.mp4(after=long)).extension == "mp4"
    assert told(media_files.mp4(after=struct.pack(">I4s", 0, b"mdat") + b"data")).extension == "mp4"
    assert refused(media_files.mp4(after=struct.pack(">I4s", 4, b"mdat"))) == "unreadable"
    assert refused(media_files.mp4(after=media_files.box(b"evil", b"..."))) == "trailing_bytes"


def test_a_matroska_is_no_webm():
    assert refused(media_files.webm(doctype=b"matroska")) == "unknown_type"
    assert refused(media_files.webm(())) == "unreadable"
    assert refused(media_files.webm(after=b"\0\0")) == "trailing_bytes"


def test_a_webm_whose_length_is_not_said_reaches_to_the_end():
    heading, segment = media_files.webm().split(b"\x18\x53\x80\x67")
    streamed = heading + b"\x18\x53\x80\x67" + b"\x01" + b"\xff" * 7 + segment[4:]
    assert told(streamed).extension == "webm"
    strange = heading + media_files.element(0x18538067, media_files.element(0x77, b"what"))
    assert refused(strange) == "unreadable"
    assert refused(heading + media_files.element(0x1549A966, b"...")) == "unreadable"


def test_a_film_in_a_million_pieces_is_refused_soon():
    begun = time.process_time()
    assert refused(media_files.mp4(after=media_files.box(b"free") * 100_000)) == "unreadable"
    assert time.process_time() - begun < 2


class Tall(io.BytesIO):
    """A file that says it is large, and is not to be read."""

    def __init__(self, head: bytes, size: int) -> None:
        super().__init__(head)
        self._size, self.read_so_far = size, 0

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._size if whence == io.SEEK_END else super().seek(offset, whence)

    def read(self, size: int | None = -1) -> bytes:
        chunk = super().read(size)
        self.read_so_far += len(chunk)
        return chunk


@pytest.mark.parametrize(
    ("extension", "size"),
    [("png", 5_000_001), ("svg", 5_000_001), ("wav", 20_000_001), ("webm", 100_000_001)],
)
def test_what_is_too_large_is_refused_by_its_head(extension, size):
    head = EVERY[extension].ljust(5000, b"\0")
    file = Tall(head, size)
    with pytest.raises(UnsupportedFile) as caught:
        detect(file, MAX_BYTES)
    assert caught.value.code == "too_large"
    assert caught.value.detail == {"size": size, "maximum": size - 1}
    assert file.read_so_far <= 4096


def test_a_sound_in_the_wrapping_of_a_film_is_measured_as_a_sound():
    data = media_files.mp4(b"soun", after=media_files.box(b"mdat", b"\0" * 1000))
    with pytest.raises(UnsupportedFile, match="too_large"):
        detect(io.BytesIO(data), {**MAX_BYTES, AUDIO: 500})


MAGIC = [b"", *(sample[:24] for sample in EVERY.values())]


@given(st.sampled_from(MAGIC), st.binary(max_size=200))
def test_no_bytes_raise_anything_but_unfit(magic, rest):
    with suppress(UnsupportedFile):
        assert told(magic + rest).extension in KINDS


@given(st.sampled_from(sorted(EVERY)), st.data())
def test_a_changed_byte_is_read_or_refused_and_never_another_family(extension, data):
    damaged = bytearray(EVERY[extension])
    place = data.draw(st.integers(0, len(damaged) - 1))
    damaged[place] = data.draw(st.integers(0, 255))
    try:
        detected = told(bytes(damaged))
    except UnsupportedFile:
        return
    assert detected.family == KINDS[extension].family or {detected.extension, extension} <= {
        "mp4",
        "m4a",
        "webm",
        "weba",
    }
