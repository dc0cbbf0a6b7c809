# For hands that type make; every target is one word of ./dev.
.PHONY: run test check services stack bench lock
run test check services stack bench lock:
	./dev $@ $(ARGS)
